# Sourced before the blocks of docs/guides/run-an-installation.md. What no test can have is a function here; everything
# else that the guide calls is the program itself. Processes of `docker run` are children of this shell, with the
# settings that their containers would have. STAND_IN is a folder for their data, pids and output.
set -eu

git() { :; }
npm() { :; }
nginx() { :; }
# The test's own server takes its administrator from the environment, and this machine may have no such user.
runuser() {
  shift 3
  "$@"
}

docker() {
  case $1 in
    build | rm) ;;
    stop)
      pid=$(cat "$STAND_IN/$2.pid")
      kill -TERM "$pid"
      wait "$pid"
      ;;
    run)
      settings=
      shift
      while [ $# -gt 1 ]; do
        case $1 in
          --name) name=$2 ;;
          --env-file) settings="$(cat "$2") $settings" ;;
          -e) settings="$settings $2" ;;
          --network | --tmpfs | --cap-drop | --security-opt | --memory | --stop-timeout | --restart | -v) ;;
          *)
            shift
            continue
            ;;
        esac
        shift 2
      done
      # Each setting is one word, and the last of a name counts.
      env -i PATH="$PATH" NODE_COMPILE_CACHE="$NODE_COMPILE_CACHE" DATA_DIR="$STAND_IN/$name" $settings \
        "$NODE" "$MAIN" serve >> "$STAND_IN/$name.log" 2>&1 &
      echo $! > "$STAND_IN/$name.pid"
      ;;
    *)
      echo "docker $1 has no stand-in" >&2
      return 125
      ;;
  esac
}
