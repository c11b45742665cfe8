import { messageOf } from './errors.ts';

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
  EACCES: 'its permissions forbid it',
  EPERM: 'its permissions forbid it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links go in a circle',
};

/**
 * Why a file could not be read or written (or a folder made), in words that stand behind "but" or in parentheses; what the system
 * says where it is none of the usual reasons.
 *
 * @example fileProblem(Object.assign(new Error(), { code: 'ENOENT' })) // 'there is no such file'
 */
export function fileProblem(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return (code === undefined ? undefined : problems[code]) ?? messageOf(error);
}
