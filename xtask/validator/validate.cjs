// Validates glTF files and prints a line of JSON for each.
// Usage: node validate.cjs <folder with node_modules> < list of files, one a line

const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');

const modules = path.resolve(process.argv[2], 'package.json');
const validator = createRequire(modules)('gltf-validator');

async function validate(file) {
  const folder = path.dirname(file);
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(fs.readFileSync(path.join(folder, decodeURIComponent(uri)))),
  });
  return report.issues.messages.map(({ code, severity, message, pointer }) => ({
    code,
    severity: ['error', 'warning', 'info', 'hint'][severity],
    message,
    pointer: pointer ?? '',
  }));
}

async function main() {
  const files = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean);
  for (const file of files) {
    let messages;
    try {
      messages = await validate(file);
    } catch (error) {
      messages = [{ code: 'UNREADABLE', severity: 'error', message: String(error), pointer: '' }];
    }
    process.stdout.write(`${JSON.stringify({ file, messages })}\n`);
  }
}

main();
