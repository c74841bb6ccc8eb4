#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { Bridge } from './bridge.js';

// For clients that start a program and speak to it over its standard input and output: whatever is written there that
// is no message breaks the connection.
const { ANNALS_URL: url = 'http://127.0.0.1:8080', ANNALS_API_KEY: key } = process.env;

if (!key) fail('Set ANNALS_API_KEY to an API key that is bound to a user.');
if (!URL.canParse(url)) fail('Set ANNALS_URL to the URL of Annals, such as https://memory.example.com.');

const bridge = new Bridge({ url, key, send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`) });
for await (const line of createInterface({ input: process.stdin })) {
  // Not awaited: a client sends further requests before the first one is answered.
  if (line.trim() !== '') void bridge.handle(line);
}

function fail(message: string): never {
  process.stderr.write(`annals-mcp: ${message}\n`);
  process.exit(2);
}
