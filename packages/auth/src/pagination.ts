import { t } from '@svc/core/contract'

/** What a page of a list says of the whole list. */
export const pagination = t.Object({
  page: t.Integer(),
  limit: t.Integer(),
  total: t.Integer(),
  totalPages: t.Integer(),
})

/** Which page of a list is asked for. */
export const pageQuery = {
  page: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The page. The default is the first one.',
    }),
  ),
  limit: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 100,
      description: 'How many are on a page. The default is 20.',
    }),
  ),
}
