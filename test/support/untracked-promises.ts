// Loaded before each test file by scripts/test.ts. Node's test runner watches every promise in the process to match
// stray errors to tests, which costs a service in the same process a quarter of its time. Without it a stray error
// still fails its file, but is not matched to a test.
import hooks, { type HookCallbacks } from 'node:async_hooks'

const { createHook } = hooks
hooks.createHook = (callbacks: HookCallbacks) => createHook({ ...callbacks, trackPromises: false })
