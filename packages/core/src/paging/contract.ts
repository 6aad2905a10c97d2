import type { TArray, TObject, TOptional, TSchema, TString } from 'typebox'
import { t } from '../schema/schema.ts'

/** The part of a query that selects a page: `t.Object({ ...pageQuery, … })`. */
export const pageQuery = {
  after: t.Optional(t.String({ maxLength: 2000, description: 'The `next` of the page before.' })),
  limit: t.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'How many are on a page. The default is 20.',
  }),
}

type PageSchema<Item extends TSchema> = TObject<{
  items: TArray<Item>
  next: TOptional<TString>
}>

/** A page of a list as an answer: `.answer(pageOf(Order))`. */
export function pageOf<Item extends TSchema>(item: Item): PageSchema<Item> {
  const next = t.Optional(
    t.String({ description: 'The `after` of the next page. The last page has none.' }),
  )
  return t.Object({ items: t.Array(item), next })
}
