import { badConfig } from '../../base/errors.ts';
import { bucketPlace } from './bucket.ts';
import type { ClipPlace } from './contract.ts';
import { folderPlace } from './folder.ts';

/** By how their addresses begin; what begins as none of them is a folder. */
const places: Readonly<Record<string, (address: string) => ClipPlace | Promise<ClipPlace>>> = {
  's3:': bucketPlace,
};

/**
 * Opens what a config calls `clips`.
 *
 * @param address `s3://bucket/folder`, or the absolute path of a folder
 * @throws EarwitnessError `bad-config` for an address of another kind, or with a secret
 */
export async function openPlace(address: string): Promise<ClipPlace> {
  const url = /^[a-z][\w+.-]+:\//i.test(address) ? URL.parse(address) : undefined;
  if (url === undefined) return folderPlace(address);
  const open = url === null || url.hostname === '' ? undefined : places[url.protocol];
  if (open === undefined || url === null) {
    throw badConfig(
      `clips: expected a folder that all machines share, or s3://bucket/folder, but got ${JSON.stringify(address)}`,
    );
  }
  if (url.username === '' && !/key|secret|token/i.test(url.search)) return await open(address);
  throw badConfig(
    `clips: ${url.protocol}//${url.host}: expected no keys in the address, which is shown and kept with the run; put them into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
  );
}
