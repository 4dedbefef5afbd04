import { dirname } from 'node:path'

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EEXIST: 'file exists',
  EISDIR: 'is a directory',
  ENOTDIR: 'a path component is not a directory',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file too large',
  EIO: 'input/output error',
}

export const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** The reason of a failed system call, as the C library words it. */
export const systemErrorText = (error: unknown): string =>
  systemErrors[errorCode(error)] ?? (error as Error).message

/** The reason why a file cannot be created or written; ENOENT then means that its directory is missing. */
export const writeErrorText = (path: string, error: unknown): string =>
  errorCode(error) === 'ENOENT' ? `there is no directory ${dirname(path)}` : systemErrorText(error)
