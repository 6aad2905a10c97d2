import {
  Array as plainArray,
  Boolean as plainBoolean,
  Enum as plainEnum,
  Integer as plainInteger,
  Number as plainNumber,
  Object as plainObject,
  String as plainString,
  Union as plainUnion,
  type StaticEnum,
  type TArray,
  type TArrayOptions,
  type TBoolean,
  type TEnum,
  type TEnumValue,
  type TInteger,
  type TNumber,
  type TNumberOptions,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TStringOptions,
  type TTypeScriptEnumLike,
  type TTypeScriptEnumToEnumValues,
  type TUnion,
} from 'typebox'
import type { StaticOf } from './static-of.ts'

// TypeBox, except for schemas whose `default` its own types ignore: a caller may leave those
// members out. Its parser of TypeScript (`Script`) stays out too, and so does its namespace: bundlers can't leave out a part
// of a namespace, and every page that calls the API would load them.
export type * from 'typebox'
export {
  Any,
  BigInt,
  Call,
  Capitalize,
  Codec,
  Conditional,
  Constructor,
  ConstructorParameters,
  Cyclic,
  Decode,
  DecodeBuilder,
  Dependent,
  Encode,
  EncodeBuilder,
  Evaluate,
  Exclude,
  Extends,
  ExtendsResult,
  Extract,
  Function,
  Generic,
  Identifier,
  Immutable,
  Index,
  Infer,
  InstanceType,
  Interface,
  Intersect,
  IsAny,
  IsArray,
  IsBigInt,
  IsBoolean,
  IsCall,
  IsCodec,
  IsConstructor,
  IsCyclic,
  IsDependent,
  IsEnum,
  IsEnumValue,
  IsFunction,
  IsGeneric,
  IsIdentifier,
  IsImmutable,
  IsInfer,
  IsInteger,
  IsIntersect,
  IsKind,
  IsLiteral,
  IsNever,
  IsNull,
  IsNumber,
  IsObject,
  IsOptional,
  IsParameter,
  IsReadonly,
  IsRecord,
  IsRef,
  IsRefine,
  IsRest,
  IsSchema,
  IsString,
  IsSymbol,
  IsTemplateLiteral,
  IsThis,
  IsTuple,
  IsUndefined,
  IsUnion,
  IsUnknown,
  IsUnsafe,
  IsVoid,
  KeyOf,
  Literal,
  Lowercase,
  Mapped,
  Module,
  Never,
  NonNullable,
  Null,
  Omit,
  Optional,
  Parameter,
  Parameters,
  Partial,
  Pick,
  Readonly,
  ReadonlyObject,
  ReadonlyType,
  Record,
  RecordKey,
  RecordPattern,
  RecordValue,
  Ref,
  Refine,
  Required,
  Rest,
  ReturnType,
  Symbol,
  TemplateLiteral,
  This,
  Tuple,
  Uncapitalize,
  Undefined,
  Unknown,
  Unsafe,
  Uppercase,
  Void,
  With,
} from 'typebox'

/** A schema with a value for a missing one. */
type Defaulted<Schema extends TSchema> = Schema & { default: unknown }
type With<Options, Value> = Options & { default: Value }
/** A `default` of another type than the schema's is refused. */
type Without<Options> = Options & { default?: never }

interface Scalar<Schema extends TSchema, Options> {
  (options: With<Options, StaticOf<Schema>>): Defaulted<Schema>
  (options?: Without<Options>): Schema
}

// TypeBox has the options in the schema but not in its type: each cast below adds the `default` to
// the type.
const string = plainString as Scalar<TString, TStringOptions>
const integer = plainInteger as Scalar<TInteger, TNumberOptions>
const number = plainNumber as Scalar<TNumber, TNumberOptions>
const boolean = plainBoolean as Scalar<TBoolean, TSchemaOptions>

interface ListOf {
  <Item extends TSchema>(
    items: Item,
    options: With<TArrayOptions, StaticOf<Item>[]>,
  ): Defaulted<TArray<Item>>
  <Item extends TSchema>(items: Item, options?: Without<TArrayOptions>): TArray<Item>
}
const array = plainArray as ListOf

interface ObjectWith {
  <Properties extends TProperties>(
    properties: Properties,
    options: With<TObjectOptions, StaticOf<TObject<Properties>>>,
  ): Defaulted<TObject<Properties>>
  <Properties extends TProperties>(
    properties: Properties,
    options?: Without<TObjectOptions>,
  ): TObject<Properties>
}
const object = plainObject as ObjectWith

interface OneOf {
  <Types extends TSchema[]>(
    anyOf: [...Types],
    options: With<TSchemaOptions, StaticOf<Types[number]>>,
  ): Defaulted<TUnion<Types>>
  <Types extends TSchema[]>(anyOf: [...Types], options?: Without<TSchemaOptions>): TUnion<Types>
}
const union = plainUnion as OneOf

interface ValueOf {
  <Values extends TEnumValue[]>(
    values: readonly [...Values],
    options: With<TSchemaOptions, StaticEnum<Values>>,
  ): Defaulted<TEnum<Values>>
  <Values extends TEnumValue[]>(
    values: readonly [...Values],
    options?: Without<TSchemaOptions>,
  ): TEnum<Values>
  <Enum extends TTypeScriptEnumLike>(
    value: Enum,
    options?: Without<TSchemaOptions>,
  ): TEnum<TTypeScriptEnumToEnumValues<Enum>>
}
const enumeration = plainEnum as ValueOf

export {
  array as Array,
  boolean as Boolean,
  enumeration as Enum,
  integer as Integer,
  number as Number,
  object as Object,
  string as String,
  union as Union,
}
