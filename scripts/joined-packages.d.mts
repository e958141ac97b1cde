export function joinedFolder(root: string): string
export function joinedFiles(folder: string): Record<string, string>
export function isJoined(root: string): boolean
export function joinPackages(root: string): Promise<void>
