export const JOINED: readonly string[]
export function joinedFolder(root: string): string
export function joinedFile(name: string): string
export function joinPackages(root: string): Promise<void>
