/** Tells an operator how the runtime of the contextual model gets on the machine. */
export const RUNTIME_REMEDY =
  'The runtime comes with `npm ci`, unless `--omit=optional` leaves it out, and runs on Linux with glibc, macOS (arm64) ' +
  'and Windows'
