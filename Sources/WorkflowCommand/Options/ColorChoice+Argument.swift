import ArgumentParser
import Terminal

extension ColorChoice: ExpressibleByArgument {}
