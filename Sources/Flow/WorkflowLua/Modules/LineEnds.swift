extension [UInt8] {
    /// The text of a Lua file with a line feed for each line end, so that lines count as Lua counts
    /// them: a carriage return, a line feed, or one of each in either order ends one line.
    package var withLineFeeds: [UInt8] {
        let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard contains(carriageReturn) else { return self }
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var index = startIndex
        while index < endIndex {
            let byte = self[index]
            index += 1
            guard byte == feed || byte == carriageReturn else {
                text.append(byte)
                continue
            }
            text.append(feed)
            if index < endIndex, self[index] != byte,
                self[index] == feed || self[index] == carriageReturn
            {
                index += 1
            }
        }
        return text
    }

    /// The lines of the text of a Lua file, as Lua counts them.
    package var luaLines: [ArraySlice<UInt8>] {
        withLineFeeds.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
}
