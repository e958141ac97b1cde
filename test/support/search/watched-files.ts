import type { IndexFile, IndexFiles } from '../../../src/search/memory/columns/index-files.ts'

/** Returns files that behave like `of`, except that `change` may replace methods of each new file. */
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
