import {
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
  Type,
} from 'typebox'
import type { StaticOf } from './static-of.ts'

// TypeBox, except for schemas whose `default` its own types ignore: a caller may leave those
// members out.
export * from 'typebox'

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
const string = Type.String as Scalar<TString, TStringOptions>
const integer = Type.Integer as Scalar<TInteger, TNumberOptions>
const number = Type.Number as Scalar<TNumber, TNumberOptions>
const boolean = Type.Boolean as Scalar<TBoolean, TSchemaOptions>

interface ListOf {
  <Item extends TSchema>(
    items: Item,
    options: With<TArrayOptions, StaticOf<Item>[]>,
  ): Defaulted<TArray<Item>>
  <Item extends TSchema>(items: Item, options?: Without<TArrayOptions>): TArray<Item>
}
const array = Type.Array as ListOf

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
const object = Type.Object as ObjectWith

interface OneOf {
  <Types extends TSchema[]>(
    anyOf: [...Types],
    options: With<TSchemaOptions, StaticOf<Types[number]>>,
  ): Defaulted<TUnion<Types>>
  <Types extends TSchema[]>(anyOf: [...Types], options?: Without<TSchemaOptions>): TUnion<Types>
}
const union = Type.Union as OneOf

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
const enumeration = Type.Enum as ValueOf

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
