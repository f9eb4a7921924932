"""Reads Windows network traces (.etl) with netstitch-cli.

    import netstitch

    with netstitch.open('trace.etl') as trace:
        print(trace.info['duration_ns'])
        for row in trace.activities(filter='status>=400', columns=['server', 'url', 'http_status']):
            print(row['server'], row['http_status'])

Each method runs the program netstitch-cli and yields rows while it prints them. A row is a dictionary whose keys are the JSON
names of the fields (``netstitch-cli activities --help`` lists them). Times and durations are integers in nanoseconds, unknown
values are None. Failures raise `netstitch.Error` with the error message of the program.

The environment variable NETSTITCH_CLI names the program; without it, the program is searched in $PATH. The module needs only the
standard library; `Trace.frame` also needs pandas.

SPDX-License-Identifier: GPL-3.0-or-later
"""
from __future__ import annotations

import decimal
import json
import os
import subprocess
import sys
import tempfile
import typing

__all__ = ['Error', 'PartlyError', 'Trace', 'UsageError', 'open']

Path = typing.Union[str, 'os.PathLike[str]']
Row = typing.Dict[str, typing.Any]
Names = typing.Union[str, typing.Iterable[str]]

_FAILED, _WRONG_USAGE, _PARTLY = 1, 2, 3
# The verbs with rows that take a symbol path.
_WITH_SYMBOLS = ('activities', 'tasks', 'stacks', 'symbols')


class Error(Exception):
    """A trace or a file could not be read or written.

    `status` is the exit status of the program, `str(error)` its error message.
    """

    def __init__(self, message: str, status: int = _FAILED) -> None:
        super().__init__(message)
        self.status = status


class UsageError(Error, ValueError):
    """A filter, a column or another argument is invalid."""


class PartlyError(Error):
    """Some of many traces could not be read; the table of failures lists them with the reasons."""


def _refuse(words: str, status: int) -> Error:
    lines = [line[len('netstitch-cli: '):] if line.startswith('netstitch-cli: ') else line for line in words.strip().splitlines()]
    message = '\n'.join(lines) or (f'netstitch-cli was ended by signal {-status}' if status < 0 else f'netstitch-cli ended with status {status}')
    kind = {_WRONG_USAGE: UsageError, _PARTLY: PartlyError}.get(status, Error)
    return kind(message, status)


def _text(path: Path) -> str:
    """Returns a path as text; raises TypeError for a path of bytes."""
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError('paths are texts')
    return text


def _printable(text: str) -> str:
    """Escapes NUL characters and surrogates, which most streams cannot print."""
    return text.replace('\0', '\\x00').encode('utf-8', 'backslashreplace').decode('utf-8')


def _argument(text: str) -> str:
    """Raises UsageError if the text cannot be an argument of a program; bytes of a path that are not text (PEP 383) can."""
    if '\0' in text:
        raise UsageError(f'“{_printable(text)}” contains a NUL character', _WRONG_USAGE)
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise UsageError(f'“{_printable(text)}” cannot be encoded as {sys.getfilesystemencoding()}', _WRONG_USAGE) from None
    return text


def _names(names: typing.Optional[Names]) -> typing.Optional[str]:
    """Returns None, for the default of the program, if there are no names."""
    if names is None:
        return None
    return (names if isinstance(names, str) else ','.join(names)) or None


def _time(time: typing.Union[float, str, None]) -> typing.Union[float, str, None]:
    """Returns a floating-point number as text without an exponent."""
    return format(decimal.Decimal(float.__repr__(time)), 'f') if isinstance(time, float) else time


class Trace:
    """A trace, or several files of one computer that are read as one trace; `netstitch.open` returns one.

    Nothing is kept open: each method reads the trace again.
    """

    def __init__(self, paths: typing.Sequence[Path], *, program: typing.Optional[Path] = None, member: typing.Optional[str] = None,
                 manifests: typing.Optional[Path] = None, symbols: typing.Optional[str] = None) -> None:
        if not paths:
            raise UsageError('name at least one file', _WRONG_USAGE)
        self.paths = tuple(_text(path) for path in paths)
        self._program = _text(program) if program is not None else os.environ.get('NETSTITCH_CLI', 'netstitch-cli')
        self._options: typing.List[str] = []
        self._symbols = symbols
        self._info: typing.Optional[Row] = None
        if member is not None:
            self._options.append(f'--member={member}')
        if manifests is not None:
            self._options.append(f'--manifests={_text(manifests)}')

    def __enter__(self) -> 'Trace':
        return self

    def __exit__(self, *ended: object) -> None:
        pass

    def __repr__(self) -> str:
        return f'netstitch.Trace({list(self.paths)!r})'

    def _command(self, verb: str, options: typing.Sequence[str]) -> typing.List[str]:
        return [_argument(word) for word in (self._program, verb, *self._options, *options, '--', *self.paths)]

    def _lines(self, verb: str, options: typing.Sequence[str]) -> typing.Iterator[Row]:
        """Yields rows while the program prints them; closing the generator early kills the program."""
        with tempfile.TemporaryFile() as words:
            try:
                process = subprocess.Popen(self._command(verb, ['--format=jsonl', *options]), stdin=subprocess.DEVNULL,
                                           stdout=subprocess.PIPE, stderr=words)
            except OSError as error:
                raise Error(f'{_printable(self._program)} cannot be run: {error.strerror}') from error
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    # The last line of a program that failed may be incomplete.
                    if line.endswith(b'\n') or process.wait() == 0:
                        yield self._row(line)
                status = process.wait()
            finally:
                process.stdout.close()
                if process.poll() is None:
                    process.kill()
                    process.wait()
            if status != 0:
                words.seek(0)
                raise _refuse(words.read().decode('utf-8', 'replace'), status)

    def _row(self, line: bytes) -> Row:
        # Names of files keep their bytes, as os.fsdecode does it.
        text = line.decode('utf-8', 'surrogateescape')
        try:
            row = json.loads(text)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise Error(f'{_printable(self._program)} printed “{_printable(text.strip()):.80}”, which is not a row')
        return row

    @property
    def info(self) -> Row:
        """Properties of the trace: session, clock, time span, counts, lost events, providers, damage."""
        if self._info is None:
            self._info, = self._lines('info', [])
        return self._info

    def table(self, name: str, *, filter: typing.Optional[str] = None,  # pylint: disable=redefined-builtin
              columns: typing.Optional[Names] = None, sort: typing.Optional[Names] = None, limit: typing.Optional[int] = None,
              offset: typing.Optional[int] = None, begin: typing.Union[float, str, None] = None,
              end: typing.Union[float, str, None] = None) -> typing.Iterator[Row]:
        """Yields the rows of a table: activities, dns, tcp, winsock, findings, processes …

        `filter` is an expression of the program's filter language; `columns` and `sort` name fields (``-`` before one sorts in
        descending order), or are empty for the default; `begin` and `end` are seconds since the start of the trace, or ISO 8601
        times.
        """
        if name == 'help' or name.startswith('-') or not name.replace('-', '').isalnum():
            raise UsageError(f'there is no table “{_printable(name)}”', _WRONG_USAGE)
        options = []
        for option, value in (('filter', filter), ('columns', _names(columns)), ('sort', _names(sort)), ('limit', limit),
                              ('offset', offset), ('from', _time(begin)), ('to', _time(end))):
            if value is not None:
                options.append(f'--{option}={value}')
        if self._symbols is not None and name in _WITH_SYMBOLS:
            options.append(f'--symbols={self._symbols}')
        return self._lines(name, options)

    def activities(self, **choice: typing.Any) -> typing.Iterator[Row]:
        """Yields the network operations, one row each; takes the arguments of `table`."""
        return self.table('activities', **choice)

    def findings(self, **choice: typing.Any) -> typing.Iterator[Row]:
        """Yields the findings: problems that rules detected in the rows, with causes; takes the arguments of `table`."""
        return self.table('findings', **choice)

    def stacks(self, row: int) -> Row:
        """Returns the first, middle, last and full stack of the network operation in this row."""
        options = [f'--row={int(row)}']
        if self._symbols is not None:
            options.append(f'--symbols={self._symbols}')
        found, = self._lines('stacks', options)
        return found

    def extract(self, to: Path, *, form: str = 'parquet', tables: typing.Optional[Names] = None, jobs: int = 1, resume: bool = False,
                redact: bool = False, stacks: typing.Optional[str] = None) -> None:
        """Writes typed tables for DuckDB, Spark and similar programs; each file of `paths`, and each trace in a folder, is read
        by itself.

        `form` is parquet, sqlite or jsonl; `tables` names tables, or is empty for all. Raises `PartlyError` if some traces could
        not be read.
        """
        options = [f'--to={_text(to)}', f'--as={form}', f'--jobs={int(jobs)}']
        names = _names(tables)
        if names is not None:
            options.append(f'--tables={names}')
        if stacks is not None:
            options.append(f'--stacks={stacks}')
        options += ['--resume'] * resume + ['--redact'] * redact
        try:
            done = subprocess.run(self._command('extract', options), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, check=False)
        except OSError as error:
            raise Error(f'{_printable(self._program)} cannot be run: {error.strerror}') from error
        if done.returncode != 0:
            raise _refuse(done.stderr.decode('utf-8', 'replace'), done.returncode)

    def frame(self, name: str = 'activities', **choice: typing.Any) -> typing.Any:
        """Returns the rows of a table as a pandas.DataFrame; takes the arguments of `table`. Raises ImportError without pandas."""
        import pandas  # pylint: disable=import-outside-toplevel
        return pandas.DataFrame(list(self.table(name, **choice)))


def open(path: typing.Union[Path, typing.Sequence[Path]], **options: typing.Any) -> Trace:  # pylint: disable=redefined-builtin
    """Returns a trace: a file, an archive with one, a folder, or several files of one computer that are read as one trace.

    Options are `program` (the path of netstitch-cli), `member` (the name of a trace in an archive), `manifests` (a folder of
    instrumentation manifests) and `symbols` (a symbol path for stacks). Does not read the file: the first method called raises
    `Error` if it is not a trace.
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    return Trace(paths, **options)
