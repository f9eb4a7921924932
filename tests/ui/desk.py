"""A desktop of its own for a test: a screen, a bus, assistive technology, and the window on it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import accessible
from accessible import Atspi, Gone

if Atspi is not None:
    from gi.repository import GLib

PROGRAMS = ("Xvfb", "dbus-daemon", "xdotool", "openbox")
# How long anything may take on a slow machine before the test gives up.
PATIENCE_S = 60


# What GLib writes before a warning and whatever is worse.
COMPLAINT = re.compile (r"-(WARNING|CRITICAL|ERROR) \*\*|^\*\* ")
# The bus of accessibility; GTK's own dialog for files: its places in a home that is new, what it completes;
# a tooltip that was to come in a window that has been closed meanwhile.
NOT_OURS = ("dbind-WARNING", "/gtk-3.0/bookmarks'", "gtk_tree_store_remove",
            "gdk_surface_get_device_position", "_gtk_widget_find_at_coords")

class NoDesk (Exception):
    """What a desk needs is not installed."""


class Failed (Exception):
    """A claim does not hold."""


def die_with_parent ():
    import ctypes
    ctypes.CDLL (None).prctl (1, signal.SIGKILL)


def say_wanted (room, **settings):
    """Settings of the program that is started next."""
    folder = os.path.join (room.env["XDG_CONFIG_HOME"], "glib-2.0", "settings")
    os.makedirs (folder, exist_ok=True)
    with open (os.path.join (folder, "keyfile"), "w") as out:
        out.write ("[org/netstitch/Netstitch]\n")
        for key, value in settings.items ():
            out.write (f"{key.replace ('_', '-')}={value}\n")


def text_of (node):
    """What a screen reader would call it: its name, and what it says; of nothing, nothing."""
    if node is None:
        return ""
    try:
        # Newer GTK has no names for a status: what stands in it is what it says.
        if node.get_role_name () == "status bar" and not node.get_name () and node.get_child_count () > 0:
            return node.get_child_at_index (0).get_name () or ""
        return node.get_name () or ""
    except Gone:
        return ""


def is_row_of_titles (row):
    """Titles of columns stand in a row, too, which newer GTK calls by all of them."""
    first = row.get_child_at_index (0) if row.get_child_count () > 0 else None
    return first is not None and first.get_role_name () != "table cell"


def box_of (node):
    return node.get_extents ()


def has_room (node):
    """GTK 4.8 calls everything visible, also the pages behind: only those in front have a size."""
    if not node.get_state_set ().contains (Atspi.StateType.VISIBLE):
        return False
    if node.get_role_name () == "panel":
        return True
    try:
        box = box_of (node)
    except Gone:
        return True
    return box.width > 0 and box.height > 0


def children_of (node, cells):
    """Those that have room; of one that has gone meanwhile there are none."""
    if node.get_role_name () == "table row" and not cells:
        return []
    try:
        children = [node.get_child_at_index (i) for i in range (node.get_child_count ())]
    except Gone:
        return []
    children = [child for child in children if child is not None and
                child.get_state_set ().contains (Atspi.StateType.VISIBLE)]
    return [child for child in children if has_room (child)]


def called (role=None, name=None, holds=None):
    """Whether an object is what these say, as far as they are given."""
    return lambda node: ((role is None or node.get_role_name () == role) and
                         (name is None or text_of (node) == name) and
                         (holds is None or holds in text_of (node)))


def is_focused (node):
    return node.get_state_set ().contains (Atspi.StateType.FOCUSED)


def matching_below (node, around, is_it, cells):
    """What is looked for and has room, as have those around it, parents first.

    Room is asked for only of what could be it and of what is around that, and of who has to be asked for
    his children.
    """
    within = (*around, node)
    if is_it (node) and all (has_room (at) for at in within[1:]):
        yield node
    if (node.get_role_name () == "table row" and not cells) or len (within) > 60:
        return
    if not node.picture.is_known (node.path) and not all (has_room (at) for at in within[1:]):
        return
    for i in range (node.get_child_count ()):
        child = node.get_child_at_index (i)
        if child is not None and child.get_state_set ().contains (Atspi.StateType.VISIBLE):
            yield from matching_below (child, within, is_it, cells)


class Desk:
    """Starts everything; use it with `with`."""

    def __init__ (self, size="1400x900", **environment):
        missing = [name for name in PROGRAMS if shutil.which (name) is None]
        if Atspi is None or missing:
            raise NoDesk ("needs " + ", ".join (missing or ["python3-gi, python3-dbus and gir1.2-atspi-2.0"]))
        self.size = size
        self.extra = environment
        self.started = []
        self.window = None
        self.bus = None
        self.folder = tempfile.mkdtemp (prefix="netstitch-desk-")

    def __enter__ (self):
        env = dict (os.environ)
        for name, part in (("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
                           ("XDG_STATE_HOME", "state"), ("XDG_DATA_HOME", "data"),
                           ("XDG_RUNTIME_DIR", "run"), ("HOME", "home")):
            env[name] = os.path.join (self.folder, part)
            os.makedirs (env[name], mode=0o700)
        for name in ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS"):
            env.pop (name, None)
        self.keep_still ()
        env.update (GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="atspi",
                    GSETTINGS_BACKEND="keyfile",
                    NO_AT_BRIDGE="0", GTK_USE_PORTAL="0", LIBGL_ALWAYS_SOFTWARE="1",
                    # Newer GTK asks for files through portals wherever one is installed.
                    GDK_DEBUG="no-portals")
        env.update (self.extra)
        self.env = env
        self.start_screen (env)
        bus = self.start (["dbus-daemon", "--session", "--print-address", "--nofork"],
                          stdout=subprocess.PIPE)
        env["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline ().decode ().strip ()
        self.start_manager (env)
        os.environ.update (env)
        self.bus = accessible.Bus (env["DBUS_SESSION_BUS_ADDRESS"])
        return self

    def keep_still (self):
        """Nothing moves by itself: what slides and blinks takes the time of a loaded machine."""
        folder = os.path.join (self.folder, "config", "gtk-4.0")
        os.makedirs (folder)
        with open (os.path.join (folder, "settings.ini"), "w") as out:
            out.write ("[Settings]\ngtk-enable-animations=false\ngtk-cursor-blink=false\n")

    def complaints (self):
        """What the program should not have met; GTK warns of what has no room that it fits in, and of
        what leads to an action that takes another value."""
        return [line for line in self.window_log ().splitlines ()
                if not any (word in line for word in NOT_OURS) and ("CRITICAL" in line or (
                    "Gtk-WARNING" in line and any (word in line for word in ("measure", "reported min", "actionhelper"))))]

    def __exit__ (self, *what):
        complaints = self.complaints () if self.window is not None else []
        self.stop ()
        if complaints and what[0] is None:
            raise Failed ("the program complains: " + "; ".join (complaints[:3]))

    def stop (self):
        if self.bus is not None:
            self.bus.close ()
        for process in reversed (self.started):
            if process.poll () is None:
                process.terminate ()
                try:
                    process.wait (10)
                except subprocess.TimeoutExpired:
                    process.kill ()
                    process.wait ()
        shutil.rmtree (self.folder, ignore_errors=True)

    def start_screen (self, env):
        """On a number of this process's own: a screen that ends takes the socket of one that has
        begun with the same number along."""
        for attempt in range (5):
            number = 1000 + (os.getpid () * 5 + attempt) % 50000
            # Without -noreset a screen begins anew, deaf for a moment, when its last client goes.
            screen = self.start (["Xvfb", f":{number}", "-displayfd", "1", "-screen", "0",
                                  self.size + "x24", "-nolisten", "tcp", "-noreset"], stdout=subprocess.PIPE)
            if screen.stdout.readline ().strip ():
                env["DISPLAY"] = f":{number}"
                return
        raise Failed ("no screen could be started")

    def start_manager (self, env):
        """A window that is there before its manager may never be given the focus."""
        self.start (["openbox"])
        until = time.monotonic () + PATIENCE_S
        while subprocess.run (["xdotool", "get_num_desktops"], env=env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode != 0:
            if time.monotonic () > until:
                raise Failed ("no window manager came up")
            time.sleep (0.02)

    def start (self, command, stdout=subprocess.DEVNULL):
        process = subprocess.Popen (command, env=self.env, stdin=subprocess.DEVNULL,
                                    stdout=stdout, stderr=subprocess.DEVNULL,
                                    preexec_fn=die_with_parent)
        self.started.append (process)
        return process

    def open_window (self, *files, extra=None):
        """Starts the program and waits until it can be read."""
        env = dict (self.env)
        if extra is not None:
            env.update (extra)
        loaded = [env[name] for name in ("NETSTITCH_TRUE_PLACES", "LD_PRELOAD") if env.get (name)]
        if loaded:
            env["LD_PRELOAD"] = ":".join (self.without_blanks (path) for path in loaded)
        log = open (os.path.join (self.folder, "window.log"), "ab")
        self.window = subprocess.Popen ([os.environ["NETSTITCH"], *files], env=env,
                                        stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                        preexec_fn=die_with_parent)
        log.close ()
        self.started.append (self.window)
        self.wait ("the program is there", self.application)
        return self.wait ("its window is in front", self.active)

    def without_blanks (self, path):
        """A name of a file that may be preloaded: the linker parts names at blanks."""
        link = os.path.join (self.folder, os.path.basename (path))
        if not os.path.lexists (link):
            os.symlink (path, link)
        return link

    def active (self):
        frame = self.first (called ("frame"))
        return frame is not None and frame.get_state_set ().contains (Atspi.StateType.ACTIVE)

    def window_log (self):
        with open (os.path.join (self.folder, "window.log"), errors="replace") as log:
            return log.read ()

    def program (self):
        return self.bus.program (self.window.pid)

    def application (self):
        program = self.program ()
        return program.root () if program is not None else None

    def wait (self, what, condition):
        """Looks until a condition holds; there is no signal for "settled"."""
        until = time.monotonic () + PATIENCE_S
        while time.monotonic () < until:
            began = time.monotonic ()
            self.answer ()
            try:
                found = condition ()
            except (Gone, GLib.Error):
                found = None
            if found:
                return found
            if self.window.poll () is not None:
                raise Failed (f"the program has ended before: {what}\n{self.window_log ()}")
            # To look takes the program's time as well: it has twice as long for itself.
            time.sleep (min (max (2 * (time.monotonic () - began), 0.05), 0.5))
        raise Failed (f"it never came to be that {what}")

    def answer (self):
        """Calls of what a test offers on the bus itself are told to this thread."""
        context = GLib.MainContext.default ()
        while context.pending ():
            context.iteration (False)

    def walk (self, node=None, cells=False):
        """Everything that has room on the screen, parents first; rows speak for their cells."""
        program = self.program ()
        if program is None:
            return
        picture = accessible.Picture (program)
        try:
            yield from self.walk_below (picture.node (node.path if node is not None else accessible.ROOT), 0, cells)
        finally:
            picture.close ()

    def walk_below (self, node, depth, cells):
        if depth > 60:
            return
        yield node
        for child in children_of (node, cells):
            yield from self.walk_below (child, depth + 1, cells)

    def steady (self, read):
        """What is read while things come and go: whoever is met may have gone before it answers."""
        for attempt in range (10):
            try:
                return read ()
            except (Gone, GLib.Error):
                if attempt == 9:
                    raise
                time.sleep (0.05)
        return None

    def find (self, role=None, name=None, holds=None):
        return self.steady (lambda: self.first (called (role, name, holds)))

    def matching (self, is_it, node=None, cells=False, is_sure=True):
        """Those of `walk` that are what is looked for; what else there is costs next to nothing."""
        program = self.program ()
        if program is None:
            return
        picture = accessible.Picture (program)
        try:
            yield from matching_below (picture.node (node.path if node is not None else accessible.ROOT), (), is_it,
                cells)
        finally:
            picture.close ()

    def first (self, is_it, node=None, cells=False):
        """What is there is mostly seen at a glance; that something is not there is looked at twice."""
        return next (self.matching (is_it, node, cells, is_sure=False), None) or \
            next (self.matching (is_it, node, cells), None)

    def focused (self):
        return self.steady (lambda: self.first (is_focused))

    def keys (self, *keys):
        for key in keys:
            subprocess.run (["xdotool", "key", "--clearmodifiers", key], env=self.env, check=True)
            time.sleep (0.08)

    def type (self, text):
        subprocess.run (["xdotool", "type", "--delay", "20", text], env=self.env, check=True)

    def picture (self, path):
        subprocess.run (["import", "-window", "root", path], env=self.env, check=False)

    def dump (self, node=None):
        """For those who write tests: what there is to be read."""
        for at in self.walk (node):
            print (f"{at.get_role_name ()}: {text_of (at)!r} "
                   f"{'[focused]' if at.get_state_set ().contains (Atspi.StateType.FOCUSED) else ''}",
                   file=sys.stderr)
