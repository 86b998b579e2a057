-- expect error: escapes of terminals, line ends, text that turns round and bytes that are not UTF-8, in a message
error("\27[31mred\27[0m\r\nt.lua:1: forged\n\0\7\8\127\u{202E}\u{2028}\xc2\x9b31m\xff\xed\xa0\x80", 2)
