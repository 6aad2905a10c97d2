import { type Visitor } from './visitor.ts'

/** What a waiting page shows: its code, and what its key is known by. */
export async function shownBy({ page }: Visitor) {
  const code = await page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()
  const prefix = await page.getByText(/^[0-9a-f]{8}$/).textContent()
  return { code: code ?? '', prefix: prefix ?? '' }
}

export const cookieNames = async ({ context }: Visitor) =>
  (await context.cookies()).map(({ name }) => name).toSorted()
