import type { Module } from './floors.ts'

/** Node modules that only some files may import, with the reason. */
const RESERVED: Readonly<Record<string, { readonly places: readonly string[]; readonly reason: string }>> = {
  worker_threads: {
    places: ['src/platform/threads/supervisor.ts', 'src/platform/threads/thread-port.ts'],
    reason: 'threads are started by the supervisor and speak through their port',
  },
  async_hooks: {
    places: ['src/platform/hidden-parameters.ts'],
    reason: 'a value is passed as an argument, or is one of hidden-parameters.ts',
  },
}

/** Returns every import of a reserved module by another file, in words. */
export function reservedFaultsOf(modules: readonly Pick<Module, 'path' | 'imports'>[]): string[] {
  return modules.flatMap(({ path, imports }) =>
    imports.flatMap(({ from }) => {
      const reserved = RESERVED[from.replace(/^node:/, '')]
      return reserved === undefined || reserved.places.includes(path)
        ? []
        : [`${path} imports ${from}: ${reserved.reason}`]
    }),
  )
}
