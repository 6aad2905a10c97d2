import { mkdirSync, writeFileSync } from 'node:fs'
import { billOfMaterials } from './bill-of-materials.ts'

// Not committed, because package-lock.json determines it.
const file = '.svc/sbom.cdx.json'
mkdirSync('.svc', { recursive: true })
const bill = billOfMaterials()
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
console.log(`wrote ${file}: ${bill.components.length} components`)
