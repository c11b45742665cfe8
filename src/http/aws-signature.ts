import { AwsV4Signer } from 'aws4fetch';
import { badConfig } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import type { HttpCall } from './connections.ts';
import { readKey } from './read-key.ts';

/** Options that name the environment variables of a user's keys at AWS. */
export interface AwsVariables {
  readonly accessKeyIdVariable: string;
  /** Of the secret access key; null where nobody named one. */
  readonly keyVariable: string | null;
  /** Keys that last have no session token: the variable need not be set. */
  readonly sessionTokenVariable: string;
}

/** What stands in the variables. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/**
 * @throws EarwitnessError `bad-config` where the id or the secret is not set, or one holds what no header can carry
 */
export function readAwsKeys(variables: AwsVariables, environment: (name: string) => string | undefined): AwsKeys {
  if (variables.keyVariable === null) {
    throw badConfig(
      'keyVariable: expected the variable of the secret access key, with which AWS has every call signed, but got none; as in keyVariable: AWS_SECRET_ACCESS_KEY',
    );
  }
  const keyOf = (option: keyof AwsVariables, variable: string): string => {
    if (!environment(variable)) {
      throw badConfig(
        `${option}: expected a key of AWS in the environment variable ${variable}, but it is not set; \`aws configure export-credentials --format env\` prints the three variables that AWS' own programs read`,
      );
    }
    return readKey(option, variable, environment)!;
  };
  return {
    accessKeyId: keyOf('accessKeyIdVariable', variables.accessKeyIdVariable),
    secretAccessKey: keyOf('keyVariable', variables.keyVariable),
    sessionToken: environment(variables.sessionTokenVariable)
      ? keyOf('sessionTokenVariable', variables.sessionTokenVariable)
      : null,
  };
}

/** What of AWS' keys must not come out: the id too, which belongs to an account. */
export function awsSecrets({ accessKeyId, secretAccessKey, sessionToken }: AwsKeys): string[] {
  return [secretAccessKey, accessKeyId, ...(sessionToken === null ? [] : [sessionToken])];
}

export interface UnsignedCall extends Pick<HttpCall, 'method' | 'headers' | 'body'> {
  readonly url: URL;
}

/**
 * Signs calls to one service of AWS in one region (Signature Version 4; docs.aws.amazon.com/IAM, "Create a signed AWS API request"). All
 * headers are signed, and the body by its SHA-256.
 *
 * @param service its name in signatures: `transcribe`, `polly`, `s3`
 * @returns the headers that the call needs besides its own
 * @example const headers = await awsSigner(keys, 'polly', 'eu-west-1')({ method: 'GET', url, headers: {} })
 */
export function awsSigner(
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  service: string,
  region: string,
): (call: UnsignedCall, at?: Date) => Promise<Readonly<Record<string, string>>> {
  // Keys of a day, which are four hashes each.
  const cache = new Map<string, ArrayBuffer>();
  return async ({ method, url, headers, body }, at = new Date()) => {
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, accessKeyId, secretAccessKey, service, region, cache, allHeaders: true },
      // Without it the library leaves bodies of S3 unsigned.
      headers: service === 's3' ? { ...headers, 'X-Amz-Content-Sha256': sha256(body ?? '') } : { ...headers },
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      ...(sessionToken !== null && { sessionToken }),
      datetime: momentOf(at),
    });
    const signed = await signer.sign();
    const own = new Headers(headers);
    return Object.fromEntries([...signed.headers].filter(([name]) => !own.has(name)));
  };
}

/** Seconds that a signed address may be opened in: as many as Transcribe takes. */
const secondsToOpen = 300;

/**
 * Signs addresses in place of calls, as sockets want it: whoever has one may open it for five minutes.
 *
 * @returns what the query of an address is completed with, the signature among it
 * @example const query = await awsAddressSigner(keys, 'transcribe', 'eu-west-1')(url)
 */
export function awsAddressSigner(
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  service: string,
  region: string,
): (url: URL, at?: Date) => Promise<Readonly<Record<string, string>>> {
  const cache = new Map<string, ArrayBuffer>();
  return async (url, at = new Date()) => {
    const target = new URL(url);
    target.searchParams.set('X-Amz-Expires', String(secondsToOpen));
    const { url: signed } = await new AwsV4Signer({
      ...{ method: 'GET', url: target.href, accessKeyId, secretAccessKey, service, region, cache, signQuery: true },
      ...(sessionToken !== null && { sessionToken }),
      datetime: momentOf(at),
    }).sign();
    return Object.fromEntries([...signed.searchParams].filter(([name]) => name.startsWith('X-Amz-')));
  };
}

/** As AWS writes it: 20260303T100000Z. */
function momentOf(at: Date): string {
  return at.toISOString().replace(/[:-]|\.\d{3}/g, '');
}

/** Names of failures that AWS' own clients wait after (botocore, `retries/standard.py`): throttled, of which nothing was done, … */
const throttled =
  /^(Throttl\w*|TooManyRequests\w*|RequestLimitExceeded|BandwidthLimitExceeded|LimitExceededException|RequestThrottled\w*|SlowDown|PriorRequestNotComplete)$/;
/** … and transient. */
const transient = /^(RequestTimeout\w*|InternalFailure\w*|InternalError|ServiceUnavailable\w*|ServiceFailure\w*)$/;
/** Names of failures that another key, or another permission of its user, mends. */
const aboutKeys =
  /^(AccessDenied\w*|UnrecognizedClient\w*|InvalidSignature\w*|SignatureDoesNotMatch|InvalidAccessKeyId|InvalidClientTokenId|ExpiredToken\w*|InvalidToken|MissingAuthenticationToken\w*|IncompleteSignature\w*|NotAuthorized\w*|RequestTimeTooSkewed|RequestExpired)$/;

/**
 * The status that an answer's name of its failure stands for: the same failure comes as 400 from one door of AWS and as 403 or 429 from
 * another.
 *
 * @param status the answer's own @param type its header `x-amzn-errortype`
 */
export function awsStatus(status: number, type: string | null, body: Buffer): number {
  const name = failureName(type, body);
  if (throttled.test(name)) return status >= 500 ? status : 429;
  if (transient.test(name)) return status >= 500 ? status : 503;
  if (aboutKeys.test(name)) return 403;
  if (/^(NotFoundException|NoSuch\w+)$/.test(name) || /requested job couldn't be found/i.test(body.toString('latin1')))
    return 404;
  return /^ConflictException$/.test(name) ? 409 : status;
}

/** JSON has it in `__type` or a header, with a namespace before and an address behind; XML of S3 in `Code`. */
function failureName(type: string | null, body: Buffer): string {
  const text = body.subarray(0, 65_536).toString('utf8');
  const named =
    type ??
    /"(?:__type|code|Code)"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1] ??
    /<Code>([^<]{1,200})<\/Code>/.exec(text)?.[1] ??
    '';
  return named.replace(/^.*#/, '').replace(/:.*$/, '');
}
