export LD_PRELOAD=/work/wt-judgetwo/_build/tests/ui/libframe-watch.so NETSTITCH_FRAME_WATCH_FILE=/tmp/j2/frames.log
exec /work/wt-judgetwo/_build/src/ui/netstitch "$@"
