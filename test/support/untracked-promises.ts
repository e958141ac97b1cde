// Loaded before each test file by scripts/test.ts. Node's runner watches every promise of the process to know which
// test a stray error belongs to, which costs a service in the test's own process a quarter of its time. Without
// that a stray error still fails its file; it is only not told which test it came from.
import hooks, { type HookCallbacks } from 'node:async_hooks'

const { createHook } = hooks
hooks.createHook = (callbacks: HookCallbacks) => createHook({ ...callbacks, trackPromises: false })
