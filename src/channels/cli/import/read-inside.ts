import { FILE_BYTES_MAX, type PageFile, tooLarge, UnusableFile } from '../../import/page-file.ts'
import { NotInside, openInside } from './open-inside.ts'

/** Makes the reader of a file of an imported folder. @param top real path of the folder, which must have the file */
export function readerInside(top: string, path: string): PageFile['read'] {
  return async (bytesMax) => {
    try {
      await using handle = await openInside(top, path)
      if (bytesMax !== undefined) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), 0, bytesMax, 0)
        return buffer.subarray(0, bytesRead)
      }
      const { size } = await handle.stat()
      if (size > FILE_BYTES_MAX) throw tooLarge(size)
      return await handle.readFile()
    } catch (error) {
      if (error instanceof NotInside) throw new UnusableFile(error.message)
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES') throw new UnusableFile('no permission to read it')
      if (code === 'ENOENT') throw new UnusableFile('it was removed meanwhile')
      if (code !== undefined) throw new UnusableFile((error as Error).message)
      throw error
    }
  }
}
