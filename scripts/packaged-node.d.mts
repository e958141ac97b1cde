export function packagedNode(): string | null
export function isSameFile(one: string, other: string): boolean
export function faultOfNode(file: string, checksums?: string): string | null
export function faultSinceCompared(file: string, checksums?: string, compared?: string): string | null
