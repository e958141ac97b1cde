export const root: string
export const compileCache: string
export function install(withDev: boolean, folder?: string): void
export function prepare(options?: { dev?: boolean }): string
