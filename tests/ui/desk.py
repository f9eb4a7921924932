"""A desktop for one test: X server, window manager, D-Bus, accessibility bus, and the program.

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

try:
    import gi
    gi.require_version ("Atspi", "2.0")
    from gi.repository import Atspi, GLib
except (ImportError, ValueError):
    Atspi = None

PROGRAMS = ("Xvfb", "dbus-daemon", "xdotool", "openbox")
# Maximum wait of one step on a slow computer.
PATIENCE_S = 60


# The prefix of GLib's warnings and of more severe messages.
COMPLAINT = re.compile (r"-(WARNING|CRITICAL|ERROR) \*\*|^\*\* ")
# Messages of libraries that do not count: a missing accessibility bus; GTK's file dialog without bookmarks, or while
# it completes a path; a tooltip in a window that was closed meanwhile.
NOT_OURS = ("dbind-WARNING", "/gtk-3.0/bookmarks'", "gtk_tree_store_remove",
            "gdk_surface_get_device_position", "_gtk_widget_find_at_coords")
# Role names of newer AT-SPI versions, mapped to the older ones that the tests use.
ROLES = {"button": "push button", "grouping": "panel", "toggle button": "push button"}


class NoDesk (Exception):
    """A program or library that the test needs is not installed: the test is skipped."""


class Failed (Exception):
    """A claim does not hold: the test fails."""


def name_roles_alike ():
    """Makes get_role_name() return the older role names with every AT-SPI version.

    Caches the name by object: its role does not change, and objects are unique on the bus."""
    ask = Atspi.Accessible.get_role_name
    known = {}

    def get_role_name (node):
        role = known.get (node)
        if role is None:
            role = ask (node)
            role = known[node] = ROLES.get (role, role)
        return role

    Atspi.Accessible.get_role_name = get_role_name


if Atspi is not None:
    name_roles_alike ()


def die_with_parent ():
    import ctypes
    ctypes.CDLL (None).prctl (1, signal.SIGKILL)


def say_wanted (room, **settings):
    """Writes GSettings of the program; call it before the program is started."""
    folder = os.path.join (room.env["XDG_CONFIG_HOME"], "glib-2.0", "settings")
    os.makedirs (folder, exist_ok=True)
    with open (os.path.join (folder, "keyfile"), "w") as out:
        out.write ("[org/netstitch/Netstitch]\n")
        for key, value in settings.items ():
            out.write (f"{key.replace ('_', '-')}={value}\n")


def text_of (node):
    """Returns the text that a screen reader says for an object, or "" for None."""
    if node is None:
        return ""
    try:
        # In newer GTK the status bar has no name; the text is the name of its child.
        if node.get_role_name () == "status bar" and not node.get_name () and node.get_child_count () > 0:
            return node.get_child_at_index (0).get_name () or ""
        return node.get_name () or ""
    except GLib.Error:
        return ""


def is_row_of_titles (row):
    """Column titles are in a row, too, which newer GTK names after all of them."""
    first = row.get_child_at_index (0) if row.get_child_count () > 0 else None
    return first is not None and first.get_role_name () != "table cell"


def box_of (node):
    return Atspi.Component.get_extents (node, Atspi.CoordType.WINDOW)


def has_room (node):
    """GTK 4.8 reports all widgets as visible, also on hidden pages; only shown ones have a size."""
    try:
        box = box_of (node)
    except GLib.Error:
        box = None
    if box is not None and (box.width <= 0 or box.height <= 0) and node.get_role_name () != "panel":
        return False
    return node.get_state_set ().contains (Atspi.StateType.VISIBLE)


def children_of (node, cells):
    """Yields the children that have a size; none if the object has gone meanwhile."""
    try:
        if node.get_role_name () == "table row" and not cells:
            return
        for i in range (node.get_child_count ()):
            child = node.get_child_at_index (i)
            if child is not None and has_room (child):
                yield child
    except GLib.Error:
        return


class Desk:
    """Starts all processes; a context manager."""

    def __init__ (self, size="1400x900", **environment):
        missing = [name for name in PROGRAMS if shutil.which (name) is None]
        if Atspi is None or missing:
            raise NoDesk ("needs " + ", ".join (missing or ["python3-gi and gir1.2-atspi-2.0"]))
        self.size = size
        self.extra = environment
        self.started = []
        self.window = None
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
                    # Newer GTK uses the file dialogs of a portal if one is installed.
                    GDK_DEBUG="no-portals")
        env.update (self.extra)
        self.env = env
        self.start_screen (env)
        bus = self.start (["dbus-daemon", "--session", "--print-address", "--nofork"],
                          stdout=subprocess.PIPE)
        env["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline ().decode ().strip ()
        self.start_manager (env)
        os.environ.update (env)
        Atspi.init ()
        # A busy computer answers late; the default timeout is 800 ms.
        Atspi.set_timeout (15000, 15000)
        return self

    def keep_still (self):
        """Turns animations and the blinking cursor off, since they take time on a busy computer."""
        folder = os.path.join (self.folder, "config", "gtk-4.0")
        os.makedirs (folder)
        with open (os.path.join (folder, "settings.ini"), "w") as out:
            out.write ("[Settings]\ngtk-enable-animations=false\ngtk-cursor-blink=false\n")

    def complaints (self):
        """Returns the messages of the window's log that fail a test: critical ones, and GTK's warnings about widgets
        without enough space and about actions whose targets have the wrong type."""
        return [line for line in self.window_log ().splitlines ()
                if not any (word in line for word in NOT_OURS) and ("CRITICAL" in line or (
                    "Gtk-WARNING" in line and any (word in line for word in ("measure", "reported min", "actionhelper"))))]

    def __exit__ (self, *what):
        complaints = self.complaints () if self.window is not None else []
        self.stop ()
        if complaints and what[0] is None:
            raise Failed ("the program complains: " + "; ".join (complaints[:3]))

    def stop (self):
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
        """Starts Xvfb with a display number that depends on this process: an X server that ends removes the socket of
        one that was started with the same number meanwhile."""
        for attempt in range (5):
            number = 1000 + (os.getpid () * 5 + attempt) % 50000
            # Without -noreset, an X server resets and is unresponsive for a moment when its last client disconnects.
            screen = self.start (["Xvfb", f":{number}", "-displayfd", "1", "-screen", "0",
                                  self.size + "x24", "-nolisten", "tcp", "-noreset"], stdout=subprocess.PIPE)
            if screen.stdout.readline ().strip ():
                env["DISPLAY"] = f":{number}"
                return
        raise Failed ("no screen could be started")

    def start_manager (self, env):
        """Waits for the window manager: a window that is mapped before may never get the focus."""
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
        """Starts the program and waits until its window is active."""
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
        """Returns a link without spaces to a library, since LD_PRELOAD separates paths by spaces."""
        link = os.path.join (self.folder, os.path.basename (path))
        if not os.path.lexists (link):
            os.symlink (path, link)
        return link

    def active (self):
        for node in self.walk ():
            if node.get_role_name () == "frame":
                return node.get_state_set ().contains (Atspi.StateType.ACTIVE)
        return False

    def window_log (self):
        with open (os.path.join (self.folder, "window.log"), errors="replace") as log:
            return log.read ()

    def application (self):
        desktop = Atspi.get_desktop (0)
        for i in range (desktop.get_child_count ()):
            child = desktop.get_child_at_index (i)
            if child is not None and child.get_process_id () == self.window.pid \
                    and child.get_child_count () > 0:
                return child
        return None

    def wait (self, what, condition):
        """Polls a condition, since no signal reports that the window is idle; raises Failed after PATIENCE_S."""
        until = time.monotonic () + PATIENCE_S
        while time.monotonic () < until:
            began = time.monotonic ()
            self.forget ()
            try:
                found = condition ()
            except GLib.Error:
                found = None
            if found:
                return found
            if self.window.poll () is not None:
                raise Failed (f"the program has ended before: {what}\n{self.window_log ()}")
            # Reading the accessible tree takes time of the program, so the pause is at least as long.
            time.sleep (min (max (time.monotonic () - began, 0.05), 0.5))
        raise Failed (f"it never came to be that {what}")

    def forget (self):
        """Processes pending signals of AT-SPI, so that its cached objects are up to date."""
        context = GLib.MainContext.default ()
        while context.pending ():
            context.iteration (False)

    def walk (self, node=None, depth=0, cells=False):
        """Yields all accessible objects with a size, parents first. Without `cells`, the name of a row has the text
        of its cells."""
        if node is None:
            node = self.application ()
            if node is None:
                return
            node.clear_cache ()
        if depth > 60:
            return
        yield node
        for child in children_of (node, cells):
            yield from self.walk (child, depth + 1, cells)

    def steady (self, read):
        """Retries a read, since an object may disappear before it answers."""
        for attempt in range (10):
            try:
                return read ()
            except GLib.Error:
                if attempt == 9:
                    raise
                time.sleep (0.05)
                self.forget ()
        return None

    def find (self, role=None, name=None, holds=None):
        return self.steady (lambda: self.find_once (role, name, holds))

    def find_once (self, role, name, holds):
        for node in self.walk ():
            if (role is None or node.get_role_name () == role) and \
                    (name is None or text_of (node) == name) and \
                    (holds is None or holds in text_of (node)):
                return node
        return None

    def focused (self):
        return self.steady (self.find_focused)

    def find_focused (self):
        for node in self.walk ():
            if node.get_state_set ().contains (Atspi.StateType.FOCUSED):
                return node
        return None

    def keys (self, *keys):
        for key in keys:
            subprocess.run (["xdotool", "key", "--clearmodifiers", key], env=self.env, check=True)
            time.sleep (0.08)

    def type (self, text):
        subprocess.run (["xdotool", "type", "--delay", "20", text], env=self.env, check=True)

    def picture (self, path):
        subprocess.run (["import", "-window", "root", path], env=self.env, check=False)

    def dump (self, node=None, depth=0):
        """Prints the accessible tree, for debugging a test."""
        for at in self.walk (node):
            print (f"{at.get_role_name ()}: {text_of (at)!r} "
                   f"{'[focused]' if at.get_state_set ().contains (Atspi.StateType.FOCUSED) else ''}",
                   file=sys.stderr)
