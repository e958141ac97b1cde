interface PathCategory {
  readonly name: string
  readonly folder: string
  readonly order: number | null
}

interface Placement {
  readonly reference: string
  readonly language: string | null
  readonly categories: readonly string[]
  readonly isTop: boolean
  readonly group: string | null
}

interface Defaults {
  readonly visibility: string | undefined
  readonly language: string | undefined
}

type Sections = ReadonlyMap<string, PathCategory>

export interface PageFile {
  readonly path: string
  readonly segments: readonly string[]
  readonly read: (bytesMax?: number) => Promise<Uint8Array>
}

export interface CategoryAccess {
  readonly list: () => Promise<
    readonly {
      readonly id: string
      readonly name: string
      readonly sort_order: number
      readonly parent_id: string | null
    }[]
  >
  readonly create: (fields: {
    readonly name: string
    readonly sort_order: number
    readonly parent_id: string | null
  }) => Promise<{ readonly id: string; readonly sort_order: number }>
  readonly update: (id: string, fields: { readonly name: string; readonly sort_order: number }) => Promise<unknown>
}

export class CategoryPaths {
  static load(access: CategoryAccess, dryRun: boolean): Promise<CategoryPaths>
  idOf(path: readonly PathCategory[]): Promise<string>
}

export class UnusableFile extends Error {
  readonly reason: 'unreadable' | 'tooLarge' | 'notText' | 'frontMatter' | 'category'
  constructor(message: string, reason?: UnusableFile['reason'])
}

export class UnusableLine extends Error {
  readonly reason: 'notObject' | 'category'
}

export const FILE_BYTES_MAX: number
export function tooLarge(bytes: number): UnusableFile
export function plainPath(names: readonly string[]): PathCategory[]
export function pathFault(names: readonly string[]): string | null
export function judgeLevels(
  files: readonly PageFile[],
): Promise<readonly { readonly prefix: string; readonly names: readonly string[]; readonly isOfLanguages: boolean }[]>
export function layOut(
  root: { readonly names: readonly string[]; readonly isLanguage: boolean },
  files: readonly (readonly string[])[],
  languageLevels: ReadonlySet<string>,
): Placement[]
export function readSections(files: readonly PageFile[], placements: readonly Placement[]): Promise<Sections>
export function sectionPath(folders: readonly string[], sections: Sections): PathCategory[]
export function readMarkdown(
  file: PageFile,
  placement: Placement,
  defaults: Defaults & { readonly url: string | undefined },
): Promise<Readonly<Record<string, unknown>>>
export function readLine(
  value: unknown,
  rules: { readonly baseCategory: readonly string[]; readonly defaults: Defaults },
  sha256: (text: string) => string | Promise<string>,
): Promise<{ readonly entry: Readonly<Record<string, unknown>>; readonly path: readonly PathCategory[] | null }>
