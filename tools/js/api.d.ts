// What the API takes and answers, for the scripts of the pages: `Api.Review`, `Api.GameView` and so on. The types
// themselves are made from our own OpenAPI document by `make check-js`, so that they are never out of date.
export * from "../../out/openapi";
export as namespace Api;

import type { Correct, paths } from "../../out/openapi";

/** Whether an address, its parts maybe unknown (`${string}`), is one of the pattern ("/games/{game_id}"). */
type Matches<Address extends string, Pattern extends string> = Address extends `${infer Part}/${infer Rest}`
  ? Pattern extends `${infer Asked}/${infer Left}`
    ? PartMatches<Part, Asked> extends true
      ? Matches<Rest, Left>
      : false
    : false
  : Pattern extends `${string}/${string}`
    ? false
    : PartMatches<Address, Pattern>;
type PartMatches<Part extends string, Asked extends string> = Asked extends `{${string}}`
  ? true
  : Part extends Asked
    ? true
    : false;

type PatternOf<Address extends string> = Address extends string
  ? {
      [Pattern in keyof paths & string]: Matches<WithoutQuery<Address>, Pattern> extends true
        ? Pattern
        : never;
    }[keyof paths & string]
  : never;
type WithoutQuery<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Operation<M extends Method, Address extends string> = paths[PatternOf<Address>][Lowercase<M> &
  keyof paths[PatternOf<Address>]];

/** An address of the API. One that is known in part must be there; what comes of any other string is unknown. */
export type Known<Address extends string> = string extends Address
  ? Address
  : [PatternOf<Address>] extends [never]
    ? never
    : Address;

/** What the API answers when all is well; null where it answers nothing. */
export type Answer<M extends Method, Address extends string> = string extends Address
  ? unknown
  : Operation<M, Address> extends { responses: infer Responses }
    ? { [Status in keyof Responses & (200 | 201 | 202 | 204)]: Content<Responses[Status]> }[keyof Responses &
        (200 | 201 | 202 | 204)]
    : never;
type Content<Response> = Response extends { content: infer Kinds }
  ? Kinds extends { "application/json": infer Value }
    ? Value
    : string
  : null;

/** What a request may bring; what has a default may be left out. */
export type Body<M extends Method, Address extends string> = string extends Address
  ? object
  : Operation<M, Address> extends { requestBody?: { content: infer Kinds } }
    ? Kinds extends { "application/json": infer Value }
      ? Partly<Value>
      : FormData
    : undefined;
export type Partly<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Key in keyof Value]?: Partly<Value[Key]> }
    : Value;

/** A correction as it is sent. */
export type Correction = WithDefaults<Correct["correction"]>;
type WithDefaults<Value> = Value extends { kind: infer Kind }
  ? { kind: Kind } & Partly<Omit<Value, "kind">>
  : never;
