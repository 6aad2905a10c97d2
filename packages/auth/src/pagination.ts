import { t } from '@svc/core/contract'

/** What a page of a list says of the whole list. */
export const pagination = t.Object({
  page: t.Integer(),
  limit: t.Integer(),
  total: t.Integer(),
  totalPages: t.Integer(),
})

/** How many a page has. */
export const limit = t.Optional(
  t.Integer({
    minimum: 1,
    maximum: 100,
    description: 'How many are on a page. The default is 20.',
  }),
)

/** Which page of a list is asked for. */
export const pageQuery = {
  page: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The page. The default is the first one.',
    }),
  ),
  limit,
}

/** The same for a list that is read from one page to the next. */
export const cursorQuery = (maxLength: number) => ({
  after: t.Optional(t.String({ maxLength, description: 'The `next` of the page before.' })),
  limit,
})

/** The member of a page with which the following one is asked for. Not set on the last page. */
export const nextPage = t.Optional(t.String({ description: 'The `after` of the next page.' }))
