import type { IndexFile, IndexFiles } from '../../../src/search/memory/columns/index-files.ts'

/** Files that do as `of` do, but for what `change` puts in place of a new one's methods. */
export function watchedFiles(of: IndexFiles, change: (file: IndexFile) => Partial<IndexFile>): IndexFiles {
  return {
    giveUp: () => of.giveUp(),
    create(bytes) {
      const file = of.create(bytes)
      if (file === null) return null
      return {
        append: (piece) => file.append(piece),
        read: (into, position) => file.read(into, position),
        close: () => file.close(),
        ...change(file),
      }
    },
  }
}
