#!/usr/bin/env python3
"""Tests that the output of a verb is complete or absent, whether it succeeds, fails or is interrupted, and that no
temporary file remains.

Usage: check-ends.py CLI SAMPLE.etl
"""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

cli, sample, make_packets = sys.argv[1:]
FORMS = ['csv', 'tsv', 'json', 'jsonl', 'markdown', 'har', 'html', 'etl',
         'perfetto', 'speedscope']
ENDS = [['export', sample, '--as', form] for form in FORMS]
ENDS += [['render', sample, '--as', form] for form in ('png', 'svg', 'pdf')]
ENDS += [['events', sample], ['activities', sample, '--format', 'json'], ['info', sample],
         ['recipe', '--provider', 'Microsoft-Windows-WebIO']]
STOPPED = [words for words in ENDS if words[-1] in ('csv', 'html', 'etl', 'png', sample)]
wrong = []


def start(words, folder, n_file=None):
    """Starts a verb; n_file limits the size of its files, as on a full disk."""
    def bound():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if n_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (n_file, n_file))
    return subprocess.Popen([cli, *words, '-o', folder + '/out'], preexec_fn=bound,
                            env=dict(os.environ, TMPDIR=folder), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, errors='replace')


def get_left(folder):
    """Returns the files that a verb left behind, and removes them."""
    left = sorted(os.listdir(folder))
    for name in left:
        os.unlink(folder + '/' + name)
    return left


def check_full_disk(words, folder):
    done = start(words, folder)
    done.communicate()
    n_bytes = os.path.getsize(folder + '/out')
    if done.returncode != 0 or get_left(folder) != ['out']:
        wrong.append('%s: %d' % (' '.join(words), done.returncode))
    for n_file in (0, n_bytes - 1):
        done = start(words, folder, n_file)
        said = done.communicate()[1]
        if done.returncode != 1 or 'cannot be written: ' not in said:
            wrong.append('%s, %d bytes: %d %r' % (' '.join(words), n_file, done.returncode, said))
        left = get_left(folder)
        if left:
            wrong.append('%s, %d bytes: left behind: %r' % (' '.join(words), n_file, left))


def check_stop(words, folder, n_signals):
    """Interrupts a verb by one or several SIGINT; its output must be complete or absent."""
    done = start(words, folder)
    while n_signals > 1 and done.poll() is None and not os.listdir(folder):
        time.sleep(0.001)
    for _ in range(n_signals):
        done.send_signal(signal.SIGINT)
    said = done.communicate()[1]
    left = get_left(folder)
    if left != (['out'] if done.returncode == 0 else []):
        wrong.append('%s, stopped: %d %r, left behind: %r' %
                     (' '.join(words), done.returncode, said, left))


def check_old_file(folder):
    """A failed export must not remove the existing output file."""
    with open(folder + '/out', 'w') as file:
        file.write('old')
    done = start(['export', sample, '--as', 'csv'], folder, 10)
    done.communicate()
    with open(folder + '/out') as file:
        if file.read() != 'old' or os.listdir(folder) != ['out']:
            wrong.append('the old file is gone')


def main():
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as beside:
        # The sample has no packets.
        packets = beside + '/packets.etl'
        subprocess.run([make_packets, packets], check=True)
        for words in ENDS + [['export', packets, '--as', form] for form in ('pcapng', 'pcap')]:
            check_full_disk(words, folder)
        for words in STOPPED:
            for n_signals in (1, 2):
                check_stop(words, folder, n_signals)
        check_old_file(folder)
    print('\n'.join(wrong) or 'all whole or not at all')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
