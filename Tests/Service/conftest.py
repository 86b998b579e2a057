from service import SEED


def pytest_report_header():
    return f"SEED={SEED}"
