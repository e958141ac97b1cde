export const root: string
export const compileCache: string
export function install(withDev: boolean, folder?: string): void
export function prepare(options?: { dev?: boolean }): string

/** Environment variables that make glibc return memory to the system. */
export const MALLOC_SETTINGS: Readonly<Record<string, string>>
