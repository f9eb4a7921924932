#!/usr/bin/python3
"""Tests the Symbols window, and what the window shows while symbols are downloaded.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import http.server
import os
import shutil
import subprocess
import sys
import threading
import time

import desk
from walk import activate, run_claims

GUID = "11223344-5566-7788-99aa-bbccddeeff01;3"


class Server:
    """A local symbol server that records requests and can respond slowly."""

    def __init__ (self, folder):
        self.asked = []
        self.let_go = threading.Event ()
        self.ended = threading.Event ()
        self.is_slow = False
        server = self

        class Handler (http.server.BaseHTTPRequestHandler):
            def do_GET (self):
                server.asked.append (self.path)
                path = os.path.join (folder, "store", *self.path.split ("/")[1:])
                if not os.path.isfile (path):
                    self.send_error (404)
                    return
                with open (path, "rb") as file:
                    data = file.read ()
                self.send_response (200)
                self.send_header ("Content-Length", str (len (data)))
                self.end_headers ()
                server.give (self, data)

            def log_message (self, *words):
                pass

        self.http = http.server.ThreadingHTTPServer (("127.0.0.1", 0), Handler)
        self.host = "127.0.0.1:%d" % self.http.server_address[1]
        threading.Thread (target=self.http.serve_forever, daemon=True).start ()

    def give (self, handler, data):
        """Sends half of a file at once; a slow server sends the rest byte by byte until the client disconnects."""
        if not self.is_slow:
            handler.wfile.write (data)
            return
        handler.wfile.write (data[:len (data) // 2])
        for i in range (len (data) // 2, len (data) - 1):
            try:
                handler.wfile.write (data[i:i + 1])
            except OSError:
                self.ended.set ()
                return
            if self.let_go.wait (0.005):
                break
            # Keeps the last byte back, so that the response never ends.
            if i == len (data) - 2:
                while not self.let_go.wait (0.01):
                    handler.connection.settimeout (0.01)
                    try:
                        if handler.connection.recv (1) == b"":
                            self.ended.set ()
                            return
                    except TimeoutError:
                        pass
                    except OSError:
                        self.ended.set ()
                        return
        handler.wfile.write (data[i + 1:])


def press (node):
    desk.Atspi.Action.do_action (node, 0)


def open_page (room, folder):
    """Opens the trace and its Symbols window."""
    room.open_window (os.path.join (folder, "trace.etl"))
    room.wait ("the trace is shown", lambda: room.find (holds="Symbols", role="push button"))
    press (room.find (holds="Symbols", role="push button"))
    room.wait ("the page of symbols is there", lambda: room.find (role="push button", holds="Stop"))


def last_button (room, word):
    """Returns the button whose name ends with a word; some names contain the label twice."""
    for node in room.walk ():
        if node.get_role_name () == "push button" and desk.text_of (node).split ()[-1:] == [word]:
            return node
    return None


def close_page (room, name):
    room.keys ("Escape")
    room.wait (f"{name} is closed", lambda: room.find (role="frame", name=name) is None)
    room.wait ("the window is in front", room.active)


def walk_page (room, cells=False):
    """Yields the accessible objects of the Symbols window only."""
    page = room.find (role="frame", name="Symbols")
    return room.walk (page, cells=cells) if page is not None else ()


def again (room, module):
    """Returns the button in a module's row that retries its search."""
    for node in walk_page (room, cells=True):
        if node.get_role_name () == "push button" and \
                desk.text_of (node) == f"Look again for {module}":
            return node
    return None


def line_of (room, module):
    """Returns the state of a module and its reason."""
    for node in walk_page (room):
        said = desk.text_of (node)
        if node.get_role_name () == "table row" and said.startswith (module + " "):
            return said[len (module) + 1:]
    return None


def wait_for (room, module, *parts):
    try:
        return room.wait (f"{module} is {parts}", lambda: all (
            part in (line_of (room, module) or "") for part in parts))
    except desk.Failed as error:
        raise desk.Failed (f"{error}; {line_of (room, module)!r}") from error


def new_place (room):
    folder = os.path.join (room.folder, "place")
    os.makedirs (folder)
    subprocess.run ([os.environ["NETSTITCH_MAKE_SYMBOLS"], folder], check=True)
    return folder


def offline_room (room):
    """Sets a symbol path with a server without consent and a folder with symbols of another build."""
    folder = new_place (room)
    server = Server (folder)
    room.env["_NT_SYMBOL_PATH"] = f"srv**http://{server.host};{folder}/wrong"
    room.env.pop ("_NT_ALT_SYMBOL_PATH", None)
    return folder, server


def says_of_each_module_how_it_stands (_sample):
    with desk.Desk () as room:
        folder, server = offline_room (room)
        open_page (room, folder)
        wait_for (room, "app.exe", "Refused", "network access is not allowed")
        wait_for (room, "other.dll", "Not matching", "belongs to another build")
        wait_for (room, "device.dll", "Refused", "not a safe file name")
        wait_for (room, "unknown.dll", "No debug ID", "no debug ID in the trace")
        if room.find (holds="0 of 4 modules have symbols · offline") is None:
            raise desk.Failed ("it is not said that no server is asked")
        if server.asked:
            raise desk.Failed (f"the server was asked for {server.asked}")
        for word, can_be in (("Again", True), ("Stop", False), ("Missing", True)):
            button = last_button (room, word)
            if button.get_state_set ().contains (desk.Atspi.StateType.SENSITIVE) != can_be:
                raise desk.Failed (f"{desk.text_of (button)!r} is {'not ' if can_be else ''}to be pressed")


def looks_again_for_one_module (_sample):
    with desk.Desk () as room:
        folder, _ = offline_room (room)
        open_page (room, folder)
        wait_for (room, "app.exe", "Refused")
        wait_for (room, "other.dll", "Not matching")
        if again (room, "unknown.dll") is not None:
            raise desk.Failed ("what cannot be found is to be looked for again")
        # Both are available now, and the search is retried for one of them only.
        shutil.copy (os.path.join (folder, "right", "app.pdb"), os.path.join (folder, "wrong"))
        shutil.copy (os.path.join (folder, "right", "app.pdb"),
                     os.path.join (folder, "wrong", "other.pdb"))
        press (again (room, "app.exe"))
        wait_for (room, "app.exe", "Found", "wrong/app.pdb")
        wait_for (room, "other.dll", "Not matching")
        if again (room, "app.exe") is not None:
            raise desk.Failed ("what was found is to be looked for again")
        room.wait ("the frames have their names", lambda: room.find (holds="1 of 4 modules"))
        press (room.find (role="push button", holds="Look Again"))
        wait_for (room, "other.dll", "Found")


def tells_what_is_missing (_sample):
    with desk.Desk () as room:
        folder, _ = offline_room (room)
        open_page (room, folder)
        wait_for (room, "other.dll", "Not matching")
        wait_for (room, "app.exe", "Refused")
        press (room.find (role="push button", holds="Copy List of Missing"))
        room.wait ("it is said that the list was copied",
                   lambda: room.find (holds="list of missing symbols was copied"))
        if shutil.which ("xclip") is None:
            print ("# xclip is not installed: what was copied is not looked at")
            return
        copied = subprocess.run (["xclip", "-o", "-selection", "clipboard"], env=room.env,
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
        if sorted (copied.splitlines ()) != [f"app.pdb;{GUID}", f"other.pdb;{GUID}"]:
            raise desk.Failed (f"copied: {copied!r}")


def takes_a_folder (_sample):
    with desk.Desk () as room:
        folder, _ = offline_room (room)
        open_page (room, folder)
        wait_for (room, "app.exe", "Refused")
        press (room.find (role="push button", holds="Add Folder…"))
        room.wait ("folders can be chosen", lambda: last_button (room, "Add"))
        room.keys ("ctrl+l")
        room.type (os.path.join (folder, "right"))
        time.sleep (0.5)
        # GTK may still complete the typed path; deletes the completion.
        room.keys ("shift+End", "Delete", "Return")
        time.sleep (0.5)
        chosen = last_button (room, "Add")
        if chosen is not None:
            press (chosen)
        wait_for (room, "app.exe", "Found", "right/app.pdb")
        wait_for (room, "other.dll", "Not matching")


def agrees_to_no_server_by_itself (_sample):
    with desk.Desk () as room:
        folder, server = offline_room (room)
        open_page (room, folder)
        wait_for (room, "app.exe", "Refused")
        close_page (room, "Symbols")
        room.keys ("ctrl+comma")
        consent = room.wait ("each server has its consent", lambda: room.find (
            role="check box", holds="Contact 127.0.0.1"))
        cached = room.find (role="check box", holds="Cached symbols only")
        for box in (consent, cached):
            if box.get_state_set ().contains (desk.Atspi.StateType.CHECKED):
                raise desk.Failed (f"{desk.text_of (box)!r} is on without having been asked for")
        # Tab moves from the symbol path over its buttons to the check box.
        for _ in range (8):
            room.keys ("Tab")
            box = room.find (role="check box", holds="Contact 127.0.0.1")
            if box.get_state_set ().contains (desk.Atspi.StateType.FOCUSED):
                break
        room.keys ("space")
        room.wait ("the user agrees", lambda: room.find (
            role="check box", holds="Contact 127.0.0.1").get_state_set ().contains (
                desk.Atspi.StateType.CHECKED))
        if server.asked:
            raise desk.Failed ("a server is asked before anybody looks for anything")
        # With cached symbols only, consent has no effect.
        room.keys ("Tab", "space")
        room.wait ("only cached symbols are wanted", lambda: room.find (
            role="check box", holds="Cached symbols only").get_state_set ().contains (
                desk.Atspi.StateType.CHECKED))
        close_page (room, "Preferences")
        press (room.wait ("the window is back", lambda: room.find (
            holds="Symbols", role="push button")))
        room.wait ("the page is there", lambda: room.find (role="push button", holds="Look Again"))
        press (room.find (role="push button", holds="Look Again"))
        wait_for (room, "app.exe", "Not found", "not in the symbol cache")
        if room.find (holds="only cached symbols are used") is None or server.asked:
            raise desk.Failed (f"the server was asked for {server.asked}")


def says_that_the_network_is_used_and_stops (_sample):
    with desk.Desk () as room:
        folder, server = offline_room (room)
        desk.say_wanted (room, symbol_servers="['127.0.0.1']")
        server.is_slow = True
        room.open_window (os.path.join (folder, "trace.etl"))
        button = room.wait ("the trace is shown", lambda: room.find (
            holds="ymbols", role="push button"))
        press (button)
        room.wait ("the status bar says what is fetched from where", lambda: room.find (
            role="push button", holds="Downloading symbols of app.exe") and room.find (
                role="push button", holds="% from 127.0.0.1"))
        wait_for (room, "app.exe", "Downloading…", f"from http://{server.host}")
        stop = room.find (role="push button", holds="Stop")
        began = time.monotonic ()
        press (stop)
        if not server.ended.wait (desk.PATIENCE_S):
            raise desk.Failed ("the connection is still there")
        # GTK delays the action of such a click by a quarter of a second.
        print (f"# the server saw the end after {1000 * (time.monotonic () - began):.0f} ms, "
               "of which 250 are GTK's")
        room.wait ("the status bar says nothing of the network any more", lambda: room.find (
            role="push button", holds="Downloading") is None)
        wait_for (room, "app.exe", "Waiting", "stopped")
        cached = [name for _, _, names in os.walk (room.env["XDG_CACHE_HOME"]) for name in names
                  if name.endswith (".pdb") or ".part" in name]
        if cached:
            raise desk.Failed (f"half a file was left: {cached}")
        # The retry continues the download of that module only.
        server.is_slow = False
        press (again (room, "app.exe"))
        wait_for (room, "app.exe", "Found")


def the_page_of_the_stack_tells_how_far_symbols_are (_sample):
    with desk.Desk () as room:
        folder, server = offline_room (room)
        desk.say_wanted (room, symbol_servers="['127.0.0.1']")
        server.is_slow = True
        room.open_window (os.path.join (folder, "trace.etl"))
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="2 rows"))
        activate (room, "select-rows", "[uint32 0]")
        pages = room.wait ("a row is selected",
                           lambda: room.find (role="page tab list", name="Details"))
        names = [desk.text_of (pages.get_child_at_index (i)) for i in range (pages.get_child_count ())]
        desk.Atspi.Selection.select_child (pages, names.index ("Stack"))
        room.wait ("the page tells what is on its way",
                   lambda: room.find (role="label", holds="Reading app.pdb"))
        if room.find (role="label", name="0 of 3 named") is None:
            raise desk.Failed ("the page does not count the modules with symbols")
        room.wait ("each module has a line", lambda: room.find (name="app.exe, reading", role=None) or
                   room.find (holds="app.exe, reading"))
        if room.find (role="image", name="certain") is None:
            raise desk.Failed ("how sure the seam is cannot be heard")
        press (room.wait ("it can be stopped", lambda: room.find (role="push button", name="Stop")))
        room.wait ("nothing is on its way",
                   lambda: room.find (role="label", holds="Reading app.pdb") is None)
        server.is_slow = False
        press (room.wait ("what failed can be tried again",
                          lambda: room.find (role="push button", name="Retry Failed")))
        room.wait ("a module has its symbols", lambda: room.find (role="label", holds="1 of "))
        unknown = room.wait ("a module without a debug ID has a line", lambda: room.find (holds="unknown.dll, no debug ID"))
        if desk.text_of (unknown).count ("debug ID") != 1:
            raise desk.Failed (f"the reason repeats the state: {desk.text_of (unknown)!r}")


if __name__ == "__main__":
    sys.exit (run_claims ("symbols", (says_of_each_module_how_it_stands, looks_again_for_one_module,
                                      tells_what_is_missing, takes_a_folder,
                                      agrees_to_no_server_by_itself,
                                      says_that_the_network_is_used_and_stops,
                                      the_page_of_the_stack_tells_how_far_symbols_are)))
