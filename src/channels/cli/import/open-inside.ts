import { constants } from 'node:fs'
import { type FileHandle, lstat, open as openFile, readlink, realpath } from 'node:fs/promises'
import { sep } from 'node:path'

/** Tells that a file was replaced, or is outside of the folder. The message says which. */
export class NotInside extends Error {
  override readonly name = 'NotInside'
}

/** Tells whether a real path is the folder `top` or inside it. */
export function isInside(top: string, real: string): boolean {
  return `${real}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)
}

/**
 * Opens a regular file inside a folder for reading. Links within the folder and hard links are allowed. The owner of
 * the folder may swap a file for a link at any moment, so the check is of the open file and not of its name.
 * @param top real path of the folder
 * @param open replaces `open` of node:fs/promises, for tests
 * @throws NotInside; errors of the file system
 */
export async function openInside(top: string, path: string, open: typeof openFile = openFile): Promise<FileHandle> {
  const real = await realpath(path)
  if (!isInside(top, real)) throw new NotInside('the link leads out of the folder')
  // O_NONBLOCK: opening a pipe would wait. Windows lacks the last two flags; there they count as 0.
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

/** Checks the open file: Node has no openat, so a folder on the path may have been a link for a moment. */
async function requireOpened(handle: FileHandle, real: string): Promise<void> {
  const stats = await handle.stat({ bigint: true })
  if (!stats.isFile()) throw new NotInside('it is not a regular file')
  const kernelPath = await nameOf(handle)
  if (kernelPath !== null && kernelPath !== real) throw replaced()
  const there = await lstat(real, { bigint: true })
  const isSame = there.dev === stats.dev && there.ino === stats.ino
  if (!isSame || (await realpath(real)) !== real) throw replaced()
}

/** Returns the path of an open file, as the Linux kernel knows it; null on other systems. */
function nameOf(handle: FileHandle): Promise<string | null> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
}

function replaced(): NotInside {
  return new NotInside('it was replaced while it was read')
}
