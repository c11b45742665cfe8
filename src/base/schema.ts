/**
 * What checks options or parameters and completes them with their defaults: a schema of zod 4, whichever copy of it made it.
 * Its type alone is not zod's, which would cost the compiler of whoever imports this package more than all else.
 *
 * @example
 * import { z } from 'zod';
 * const options: Schema<{ beam: number }> = z.strictObject({ beam: z.number().default(1e-20).describe('Beam width') });
 */
export interface Schema<Value> {
  /** @throws Error where it refuses the data */
  parse(data: unknown): Value;
  safeParse(data: unknown):
    | { readonly success: true; readonly data: Value; readonly error?: undefined }
    | {
        readonly success: false;
        readonly data?: undefined;
        readonly error: { readonly issues: readonly SchemaIssue[] };
      };
}

/** What a schema found wrong. */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
