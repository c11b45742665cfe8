import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { packageVersion } from '../../packages/installed-package.ts';
import type { ClipPlace } from './contract.ts';

const specifier = '@aws-sdk/client-s3';

/** What is used of the package. */
interface BucketPackage {
  readonly S3Client: new (settings: object) => { send(command: unknown): Promise<unknown> };
  readonly PutObjectCommand: new (input: object) => unknown;
  readonly GetObjectCommand: new (input: object) => unknown;
  readonly DeleteObjectCommand: new (input: object) => unknown;
}

/** What a bucket or the package refuses, by the name of the error or the code of the system. */
const refusals: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket; make it, or correct `clips`',
  AccessDenied: 'these keys may not do that there; workers need to read, the run to write and delete',
  InvalidAccessKeyId: 'there is no such key; correct AWS_ACCESS_KEY_ID',
  XAdminUserNotFound: 'there is no such key; correct AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret key is wrong; correct AWS_SECRET_ACCESS_KEY',
  CredentialsProviderError: 'there are no keys; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  'Region is missing': 'no region is named; put ?region=… behind the address, or set AWS_REGION',
  ECONNREFUSED: 'nobody answers there; start it, or correct `endpoint`',
  ENOTFOUND: 'there is no such host; correct `endpoint`',
};

/**
 * A bucket of S3, or of what speaks as it does: `s3://bucket/folder?region=…`, with `endpoint=http://host:port` for servers that are not
 * Amazon's. Keys come from where its package looks: the environment (`AWS_ACCESS_KEY_ID`, …), its own files, the machine's role.
 *
 * @throws EarwitnessError `missing-program` where the package is absent; by its methods, `store` where the bucket refuses
 */
export async function bucketPlace(address: string): Promise<ClipPlace> {
  packageVersion(specifier, 'which speaks with buckets');
  const { S3Client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand } = (await import(
    specifier
  )) as BucketPackage;
  const { hostname: Bucket, pathname, searchParams } = new URL(address);
  const [endpoint, region] = [searchParams.get('endpoint'), searchParams.get('region')];
  const client = new S3Client({
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...((region ?? endpoint) !== null && { region: region ?? 'us-east-1' }),
  });
  const object = (name: string) => ({ Bucket, Key: `${pathname.replace(/^\/|\/$/g, '')}/${name}`.replace(/^\//, '') });
  const send = async (command: unknown): Promise<unknown> => {
    try {
      return await client.send(command);
    } catch (error) {
      const { name, code } = error as { readonly name?: string; readonly code?: string };
      if (name === 'NoSuchKey') return null;
      throw new EarwitnessError(
        'store',
        `clips: ${address}: ${refusals[code ?? ''] ?? refusals[name ?? ''] ?? refusals[messageOf(error)] ?? messageOf(error)}`,
        { cause: error },
      );
    }
  };
  return {
    put: async (name, Body) => void (await send(new PutObjectCommand({ ...object(name), Body }))),
    async get(name) {
      const found = (await send(new GetObjectCommand(object(name)))) as {
        readonly Body: { transformToByteArray(): Promise<Uint8Array> };
      } | null;
      return found === null ? null : await found.Body.transformToByteArray();
    },
    remove: async (name) => void (await send(new DeleteObjectCommand(object(name)))),
  };
}
