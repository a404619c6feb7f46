// Reads a log's folder as two libraries of others do, golang.org/x/mod/sumdb/tlog and Tessera's fsck, and holds to them what our own reader says of it.
//
// usage: tlog FOLDER VKEY < {"records": [hex], "proofs": [[base64]], "earlier": [note]}
//
// Prints one line of counts, or says what is wrong and exits with 1.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/fsck"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// said is what our own reader says of the log: the hash of each record, the proof of each under the newest checkpoint, and earlier checkpoints.
type said struct {
	Records []string      `json:"records"`
	Proofs  [][]tlog.Hash `json:"proofs"`
	Earlier []string      `json:"earlier"`
}

// files reads tiles as C2SP tlog-tiles names them: as tlog does, without the height.
type files struct{ folder string }

func (files) Height() int                         { return 8 }
func (files) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (f files) read(tile tlog.Tile) ([]byte, error) {
	path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
	return os.ReadFile(filepath.Join(f.folder, strings.Replace(path, "tile/data/", "tile/entries/", 1)))
}
func (f files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		var err error
		if data[i], err = f.read(tile); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func openTree(text string, verifier note.Verifier) (tlog.Tree, error) {
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	var origin, root string
	var tree tlog.Tree
	if _, err := fmt.Sscanf(opened.Text, "%s\n%d\n%s\n", &origin, &tree.N, &root); err != nil {
		return tlog.Tree{}, err
	}
	if origin != verifier.Name() {
		return tlog.Tree{}, fmt.Errorf("origin %s, key of %s", origin, verifier.Name())
	}
	tree.Hash, err = tlog.ParseHash(root)
	return tree, err
}

// entries reads all entries from their bundles.
func entries(f files, size int64) ([][]byte, error) {
	var all [][]byte
	for n := int64(0); n*256 < size; n++ {
		data, err := f.read(tlog.Tile{H: 8, L: -1, N: n, W: int(min(256, size-n*256))})
		if err != nil {
			return nil, err
		}
		var bundle api.EntryBundle
		if err := bundle.UnmarshalText(data); err != nil {
			return nil, err
		}
		all = append(all, bundle.Entries...)
	}
	return all, nil
}

func checkRecords(tree tlog.Tree, hashes tlog.HashReader, entries [][]byte, said said) error {
	if int64(len(entries)) != tree.N || len(said.Records) != len(entries) || len(said.Proofs) != len(entries) {
		return fmt.Errorf("%d entries, %d records, %d proofs, size %d", len(entries), len(said.Records), len(said.Proofs), tree.N)
	}
	for n, entry := range entries {
		if hex.EncodeToString(entry) != said.Records[n] {
			return fmt.Errorf("entry %d is %x, not %s", n, entry, said.Records[n])
		}
		leaf := tlog.RecordHash(entry)
		if err := tlog.CheckRecord(said.Proofs[n], tree.N, tree.Hash, int64(n), leaf); err != nil {
			return fmt.Errorf("our proof of %d: %w", n, err)
		}
		proof, err := tlog.ProveRecord(tree.N, int64(n), hashes)
		if err != nil {
			return fmt.Errorf("their proof of %d: %w", n, err)
		}
		if fmt.Sprint(proof) != fmt.Sprint(tlog.RecordProof(said.Proofs[n])) {
			return fmt.Errorf("proofs of %d differ: %v, %v", n, proof, said.Proofs[n])
		}
	}
	return nil
}

func checkEarlier(tree tlog.Tree, hashes tlog.HashReader, notes []string, verifier note.Verifier) error {
	for _, text := range notes {
		old, err := openTree(text, verifier)
		if err != nil {
			return err
		}
		if old.N == 0 {
			continue
		}
		proof, err := tlog.ProveTree(tree.N, old.N, hashes)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash); err != nil {
			return fmt.Errorf("the checkpoint of size %d is no prefix: %w", old.N, err)
		}
	}
	return nil
}

func leafHashes(data []byte) ([][]byte, error) {
	var bundle api.EntryBundle
	if err := bundle.UnmarshalText(data); err != nil {
		return nil, err
	}
	hashes := make([][]byte, len(bundle.Entries))
	for i, entry := range bundle.Entries {
		hashes[i] = rfc6962.DefaultHasher.HashLeaf(entry)
	}
	return hashes, nil
}

func check(folder, vkey string) (string, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return "", err
	}
	tree, err := openTree(string(text), verifier)
	if err != nil {
		return "", err
	}
	var said said
	if err := json.NewDecoder(os.Stdin).Decode(&said); err != nil {
		return "", err
	}
	all, err := entries(files{folder}, tree.N)
	if err != nil {
		return "", err
	}
	hashes := tlog.TileHashReader(tree, files{folder})
	if err := checkRecords(tree, hashes, all, said); err != nil {
		return "", err
	}
	if err := checkEarlier(tree, hashes, said.Earlier, verifier); err != nil {
		return "", err
	}
	tessera := fsck.New(verifier.Name(), verifier, client.FileFetcher{Root: folder}, leafHashes, fsck.Opts{N: 1})
	if err := tessera.Check(context.Background()); err != nil {
		return "", fmt.Errorf("fsck: %w", err)
	}
	return fmt.Sprintf("%d entries, %d proofs, %d earlier checkpoints, fsck", len(all), len(said.Proofs), len(said.Earlier)), nil
}

func main() {
	line, err := check(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(line)
}
