/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An object that JSON can carry. */
export type JsonObject = { readonly [key: string]: Json };
