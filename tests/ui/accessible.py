"""What a program tells assistive technology, asked over D-Bus.

A window has hundreds of objects, and the library of screen readers asks for every word of each by itself.
GTK answers for all of them at once (`org.a11y.atspi.Cache.GetItems`), which takes a fortieth of the time;
tests look again and again until something comes.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import dataclasses

try:
    import dbus
    import dbus.bus
    import gi
    gi.require_version ("Atspi", "2.0")
    # For its words and numbers; what is asked goes over the bus.
    from gi.repository import Atspi
except (ImportError, ValueError):
    Atspi = None

# How long the program may take for one answer; the 800 ms of the library are no time on a busy machine.
ANSWER_S = 15
ROOT = "/org/a11y/atspi/accessible/root"
INTERFACE = "org.a11y.atspi."
# What newer libraries have another word for.
ROLES = {"button": "push button", "grouping": "panel", "toggle button": "push button"}

# Coordinates count from the window's corner.
IN_WINDOW = 1

Facts = collections.namedtuple ("Facts", ("parent", "index", "n_children", "name", "role", "description", "states"))


@dataclasses.dataclass
class Box:
    x: int
    y: int
    width: int
    height: int


class Gone (Exception):
    """Who was asked does not answer: often it has gone since it was met."""


def name_of_role (number):
    """The same word, whichever library is asked for it."""
    try:
        name = Atspi.role_get_name (Atspi.Role (number))
    except ValueError:
        name = "unknown"
    return ROLES.get (name, name)


class States:
    def __init__ (self, words):
        self.words = words

    def contains (self, state):
        word, bit = divmod (int (state), 32)
        return word < len (self.words) and bool (self.words[word] >> bit & 1)


class Bus:
    """The bus of accessibility of a desktop."""

    def __init__ (self, session):
        self.session = dbus.bus.BusConnection (session)
        self.bus = dbus.bus.BusConnection (self.session.call_blocking (
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", "", (), timeout=ANSWER_S))
        self.names = {}

    def close (self):
        for connection in (self.bus, self.session):
            connection.close ()

    def call (self, owner, path, interface, method, signature="", *arguments):
        try:
            return self.bus.call_blocking (owner, path, interface, method, signature, arguments, timeout=ANSWER_S)
        except dbus.DBusException as error:
            raise Gone (f"{method}: {error}") from error

    def ask (self, method, signature="", *arguments):
        return self.call ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
                          signature, *arguments)

    def program (self, pid):
        """The program of a process, or nothing as long as it has not made itself known.

        Its connection is on the bus before; GLib complains of calls that come while it is being made.
        """
        if pid not in self.names:
            known = self.call ("org.a11y.atspi.Registry", ROOT, INTERFACE + "Accessible", "GetChildren")
            for name, _ in known:
                try:
                    self.names[self.ask ("GetConnectionUnixProcessID", "s", name)] = name
                except Gone:
                    # It has gone since the list was made.
                    continue
        return Program (self, self.names[pid]) if pid in self.names else None


class Program:
    def __init__ (self, bus, owner):
        self.bus = bus
        self.owner = owner

    def call (self, path, interface, method, signature="", *arguments):
        return self.bus.call (self.owner, path, INTERFACE + interface, method, signature, *arguments)

    def get (self, path, interface, name):
        return self.bus.call (self.owner, path, "org.freedesktop.DBus.Properties", "Get", "ss",
                              INTERFACE + interface, name)

    def root (self):
        """What holds its windows, as soon as there is one.

        GTK 4.8 complains of itself when the root is asked before it is ready, which the list of all is not then.
        """
        picture = Picture (self)
        picture.close ()
        return Node (self, ROOT) if picture.below[ROOT] else None


class Picture:
    """All that a program told at one moment, true until it is closed.

    GTK makes objects when it is first asked for them, and goes on to tell of those that have been hidden: a
    sure picture asks every parent for its children, another one only those that must lack some.
    """

    def __init__ (self, program, is_sure=True):
        self.program = program
        self.is_sure = is_sure
        self.is_open = True
        self.boxes = {}
        self.read ()

    def read (self):
        self.facts = {}
        self.lists = {}
        self.below = collections.defaultdict (list)
        items = self.program.call ("/org/a11y/atspi/cache", "Cache", "GetItems")
        for (_, path), _, (_, parent), index, n_children, _, name, role, description, states in items:
            self.facts[path] = Facts (parent, index, n_children, name, role, description, states)
            self.below[parent].append (path)
        for paths in self.below.values ():
            paths.sort (key=lambda path: self.facts[path].index)

    def is_known (self, path):
        """Whether nobody has to be asked for the children of an object."""
        facts = self.facts.get (path)
        if facts is None:
            return False
        paths = self.below.get (path, ())
        return facts.n_children == 0 or (not self.is_sure and len (paths) == facts.n_children and
                                         all (self.facts[at].index == i for i, at in enumerate (paths)))

    def paths_below (self, path):
        paths = self.lists.get (path)
        if paths is None:
            if path == ROOT:
                paths = self.below[path]
            elif not self.is_known (path):
                paths = self.ask_below (path)
            else:
                paths = self.below[path] if self.facts[path].n_children > 0 else ()
            self.lists[path] = paths
        return paths

    def ask_below (self, path):
        refs = self.program.call (path, "Accessible", "GetChildren")
        paths = [at for _, at in refs]
        if any (at not in self.facts for at in paths):
            self.read ()
        return paths

    def node (self, path):
        return Node (self.program, path, self)

    def close (self):
        self.is_open = False


class Node:
    """An object. In an open picture it is as the picture has it, later as it is when it is asked."""

    def __init__ (self, program, path, picture=None):
        self.program = program
        self.path = path
        self.picture = picture

    def __eq__ (self, other):
        return isinstance (other, Node) and self.path == other.path and self.program.owner == other.program.owner

    def __hash__ (self):
        return hash (self.path)

    def known (self):
        if self.picture is None or not self.picture.is_open:
            return None
        return self.picture.facts.get (self.path)

    def other (self, path):
        return Node (self.program, path, self.picture) if path.rpartition ("/")[2] != "null" else None

    def get_name (self):
        facts = self.known ()
        return facts.name if facts is not None else self.program.get (self.path, "Accessible", "Name")

    def get_description (self):
        facts = self.known ()
        return facts.description if facts is not None else self.program.get (self.path, "Accessible", "Description")

    def get_role_name (self):
        facts = self.known ()
        return name_of_role (facts.role if facts is not None
                             else self.program.call (self.path, "Accessible", "GetRole"))

    def get_state_set (self):
        facts = self.known ()
        return States (facts.states if facts is not None
                       else self.program.call (self.path, "Accessible", "GetState"))

    def get_child_count (self):
        if self.known () is not None:
            return len (self.picture.paths_below (self.path))
        return self.program.get (self.path, "Accessible", "ChildCount")

    def get_child_at_index (self, i):
        if self.known () is not None:
            paths = self.picture.paths_below (self.path)
            return self.other (paths[i]) if i < len (paths) else None
        _, path = self.program.call (self.path, "Accessible", "GetChildAtIndex", "i", i)
        return self.other (path)

    def get_parent (self):
        facts = self.known ()
        return self.other (facts.parent if facts is not None else self.program.get (self.path, "Accessible", "Parent")[1])

    def get_extents (self):
        """Its place, in pixels from the corner of its window; what moves it may come between two questions."""
        boxes = self.picture.boxes if self.known () is not None else {}
        if self.path not in boxes:
            boxes[self.path] = Box (*map (int, self.program.call (self.path, "Component", "GetExtents", "u", IN_WINDOW)))
        return boxes[self.path]

    def do_action (self, i=0):
        return self.program.call (self.path, "Action", "DoAction", "i", i)

    def select_child (self, i):
        return self.program.call (self.path, "Selection", "SelectChild", "i", i)

    def get_text (self):
        return self.program.call (self.path, "Text", "GetText", "ii", 0, -1)

    def set_text (self, text):
        return self.program.call (self.path, "EditableText", "SetTextContents", "s", text)

    def get_value (self):
        return self.program.get (self.path, "Value", "CurrentValue")
