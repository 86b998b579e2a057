// Texts about a session on the page of all sessions.

/** A time for people: in words if recent, as a date otherwise. */
export function ago(time, now = Date.now()) {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (seconds < 60) return "now";
  const [count, unit] = seconds < 3600 ? [seconds / 60, "minute"] : [seconds / 3600, "hour"];
  if (seconds >= 86400) return time.slice(0, 16).replace("T", " ");
  return `${Math.floor(count)} ${unit}${count >= 2 ? "s" : ""} ago`;
}

/** The current step of a session; after an undo also the number of steps. */
export const steps = ({ step, of }) => (step === of ? `${step}` : `${step} of ${of}`);
