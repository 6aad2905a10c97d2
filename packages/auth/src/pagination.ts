import { t } from '@svc/core/contract'

/** What a page of a list says of the whole. */
export const pagination = t.Object({
  page: t.Integer(),
  limit: t.Integer(),
  total: t.Integer(),
  totalPages: t.Integer(),
})
