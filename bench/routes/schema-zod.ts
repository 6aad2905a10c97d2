import { z } from 'zod'
import { roles } from './workload.ts'

export const NewUser = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.email(),
  age: z.int(),
  score: z.number(),
  active: z.boolean(),
  role: z.enum(roles),
  tags: z.array(z.string()),
})
