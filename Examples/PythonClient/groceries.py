"""Plays the list of things to do: groceries.py [SOCKET]."""

import sys

from client import Session

todo = Session.attach(sys.argv[1]) if sys.argv[1:] else Session.run("Examples/todo/todo.lua")
todo.request("send", action={"type": "add", "text": "milk"})
todo.request("send", sink=todo.rendering["rows"][0]["toggle"])
print(todo.rendering["title"])
todo.request("undo")
print(todo.rendering["title"])
print(todo.request("eval", expression="#state.items"), "item")
try:
    todo.request("send", action="add")
except RuntimeError as error:
    print(error)
todo.request("send", action="finish")
print(todo.outputs)
