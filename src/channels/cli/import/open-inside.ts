import { constants } from 'node:fs'
import { type FileHandle, lstat, open as openFile, readlink, realpath } from 'node:fs/promises'
import { sep } from 'node:path'

/** A file that is not what the folder listed, or not in the folder any more; the message says so. */
export class NotInside extends Error {
  override readonly name = 'NotInside'
}

/** Whether a real path is the folder of that real path, or in it. */
export function isInside(top: string, real: string): boolean {
  return `${real}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)
}

/**
 * Opens a regular file for reading that lies in a folder, by a link within it or without one. Whoever fills the folder
 * may swap a name for a link at any moment, so what counts is the file that was opened, not what its name meant before.
 * A hard link is the file itself, wherever else it has a name.
 * @param top real path of the folder
 * @param open stands for `open` of node:fs/promises
 * @throws NotInside; errors of the file system
 */
export async function openInside(top: string, path: string, open: typeof openFile = openFile): Promise<FileHandle> {
  const real = await realpath(path)
  if (!isInside(top, real)) throw new NotInside('the link leads out of the folder')
  // A pipe would have its opener wait. Windows has neither of the last two flags, which then count as none.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  let handle: FileHandle
  try {
    handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw replaced()
    throw error
  }
  try {
    await requireOpened(handle, real)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Node has no openat: a folder on the way may have become a link, and may be a folder again by now. */
async function requireOpened(handle: FileHandle, real: string): Promise<void> {
  const opened = await handle.stat({ bigint: true })
  if (!opened.isFile()) throw new NotInside('it is not a regular file')
  const kernelSays = await nameOf(handle)
  if (kernelSays !== null && kernelSays !== real) throw replaced()
  const there = await lstat(real, { bigint: true })
  const isSame = there.dev === opened.dev && there.ino === opened.ino
  if (!isSame || (await realpath(real)) !== real) throw replaced()
}

/** The path of what is open, which Linux knows; null elsewhere. */
function nameOf(handle: FileHandle): Promise<string | null> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
}

function replaced(): NotInside {
  return new NotInside('it was replaced while it was read')
}
