import { constants } from 'node:fs'
import { type FileHandle, lstat, open as openFile, readlink, realpath } from 'node:fs/promises'
import { sep } from 'node:path'

/** The file was replaced, or is outside of the folder. The message says which. */
export class NotInside extends Error {
  override readonly name = 'NotInside'
}

/** Whether a real path is the folder `top` or inside it. */
export function isInside(top: string, real: string): boolean {
  return `${real}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)
}

/**
 * Opens a regular file inside a folder for reading; links within the folder are allowed. The owner of the folder may
 * swap a file for a link at any moment, so the opened file is checked, not its name. Hard links are allowed.
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

/** Node has no openat: a folder on the path may have been a link for a moment, so the opened file is checked. */
async function requireOpened(handle: FileHandle, real: string): Promise<void> {
  const opened = await handle.stat({ bigint: true })
  if (!opened.isFile()) throw new NotInside('it is not a regular file')
  const kernelSays = await nameOf(handle)
  if (kernelSays !== null && kernelSays !== real) throw replaced()
  const there = await lstat(real, { bigint: true })
  const isSame = there.dev === opened.dev && there.ino === opened.ino
  if (!isSame || (await realpath(real)) !== real) throw replaced()
}

/** The path of an open file, as the Linux kernel knows it; null on other systems. */
function nameOf(handle: FileHandle): Promise<string | null> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
}

function replaced(): NotInside {
  return new NotInside('it was replaced while it was read')
}
