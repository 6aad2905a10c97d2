/** The request for every server of this bench: eight fields in, two out, after five middlewares. */
export const newUser = {
  id: '7f3b8f0a-2c1d-4e5f-8a9b-0c1d2e3f4a5b',
  name: 'Grace Hopper',
  email: 'grace@example.com',
  age: 37,
  score: 98.6,
  active: true,
  role: 'editor',
  tags: ['compiler', 'navy', 'cobol'],
}

export const refusedUser = { ...newUser, email: 'nowhere', age: 1.5 }

export type NewUser = typeof newUser

export const roles = ['admin', 'editor', 'viewer'] as const

/** Three middlewares read one each; the other two set a constant. */
export const requestHeaders = { 'x-one': '1', 'x-two': '2', 'x-three': '3' }

/** JSON Schema, for peers that use it. */
export const newUserSchema = {
  type: 'object',
  required: ['id', 'name', 'email', 'age', 'score', 'active', 'role', 'tags'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer' },
    score: { type: 'number' },
    active: { type: 'boolean' },
    role: { type: 'string', enum: roles },
    tags: { type: 'array', items: { type: 'string' } },
  },
} as const

export const createdSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, ok: { type: 'boolean' } },
} as const
