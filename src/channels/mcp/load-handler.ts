import type * as Handler from './handler.ts'

/** Loads the SDK's side of the channel, which is a good part of all the code there is. */
export function loadHandler(): Promise<typeof Handler> {
  return import('./handler.ts')
}
