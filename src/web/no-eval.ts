import { config } from 'zod';
import { usePortableKernel } from '../base/kernel/kernel.ts';

// Without this zod tries whether it may compile code from text, and the kernel whether WebAssembly; the content policy refuses, and the browser logs it.
config({ jitless: true });
usePortableKernel();
