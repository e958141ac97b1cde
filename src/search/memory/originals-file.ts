/**
 * Files that hold original vectors in place of memory. A search compares a few dozen documents by their originals, so
 * reading those from a file by position costs it little beside the scan of all codes.
 */
import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
