//! A glTF file and its buffer, to be edited as programs do.

use std::fs;
use std::path::{Path, PathBuf};

use relicast_emit::gltf::chunks;
use serde_json::{Value, json};

/// A scene in memory.
pub struct Scene {
    path: PathBuf,
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Scene {
    pub fn open(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let chunks = chunks(&bytes).unwrap();
        let json: Value = serde_json::from_slice(chunks.json).unwrap();
        let bin = match json["buffers"][0]["uri"].as_str() {
            Some(uri) => fs::read(path.parent().unwrap().join(uri)).unwrap(),
            None => chunks.binary.unwrap_or_default().to_vec(),
        };
        Self {
            path: path.to_owned(),
            json,
            bin,
        }
    }

    pub fn save(&self) {
        if self.path.extension().is_some_and(|it| it == "glb") {
            return fs::write(&self.path, self.to_glb()).unwrap();
        }
        fs::write(&self.path, serde_json::to_vec(&self.json).unwrap()).unwrap();
        if let Some(uri) = self.json["buffers"][0]["uri"].as_str() {
            fs::write(self.path.parent().unwrap().join(uri), &self.bin).unwrap();
        }
    }

    /// Puts the pictures into the buffer, each named after its file, as programs do.
    pub fn embed_pictures(&mut self) {
        let folder = self.path.parent().unwrap().to_owned();
        let mut images = self.json["images"].take();
        for image in images.as_array_mut().into_iter().flatten() {
            let Some(uri) = image["uri"].as_str().map(str::to_owned) else {
                continue;
            };
            let bytes = fs::read(folder.join(&uri)).unwrap();
            self.bin.resize(self.bin.len().next_multiple_of(4), 0);
            let view =
                json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
            self.bin.extend(bytes);
            let views = self.json["bufferViews"].as_array_mut().unwrap();
            views.push(view);
            let name = Path::new(&uri).file_stem().unwrap().to_str().unwrap();
            *image = json!({"name": name, "mimeType": "image/png", "bufferView": views.len() - 1});
        }
        self.json["images"] = images;
        self.json["buffers"][0]["byteLength"] = self.bin.len().into();
    }

    /// The scene as one file.
    pub fn to_glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0].as_object_mut().unwrap().remove("uri");
        let mut chunks = Vec::new();
        let parts = [
            (b"JSON", serde_json::to_vec(&json).unwrap(), b' '),
            (b"BIN\0", self.bin.clone(), 0),
        ];
        for (kind, mut bytes, filler) in parts {
            bytes.resize(bytes.len().next_multiple_of(4), filler);
            chunks.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
            chunks.extend(kind);
            chunks.extend(bytes);
        }
        let size = u32::try_from(12 + chunks.len()).unwrap();
        let mut file = b"glTF\x02\0\0\0".to_vec();
        file.extend(size.to_le_bytes());
        file.extend(chunks);
        file
    }

    pub fn nodes(&self) -> &[Value] {
        self.json["nodes"].as_array().map_or(&[], Vec::as_slice)
    }

    /// Meshes that only scattered things show. These are of other files, and follow edits there.
    pub fn strewn_meshes(&self) -> Vec<usize> {
        let mesh = |node: &Value| node["mesh"].as_u64().map(|mesh| mesh as usize);
        let is_strewn = |node: &&Value| {
            let name = node["name"].as_str().unwrap_or_default();
            name.starts_with("clutter_")
        };
        let (strewn, others): (Vec<&Value>, Vec<&Value>) = self.nodes().iter().partition(is_strewn);
        let others: Vec<usize> = others.into_iter().filter_map(mesh).collect();
        let strewn = strewn.into_iter().filter_map(mesh);
        strewn.filter(|mesh| !others.contains(mesh)).collect()
    }

    pub fn shown(&self) -> Vec<usize> {
        let numbers = |list: &Value| -> Vec<usize> {
            let list = list.as_array().into_iter().flatten();
            list.map(|node| node.as_u64().unwrap() as usize).collect()
        };
        let mut all = Vec::new();
        let mut stack = numbers(&self.json["scenes"][0]["nodes"]);
        while let Some(node) = stack.pop() {
            all.push(node);
            stack.extend(numbers(&self.json["nodes"][node]["children"]));
        }
        all.sort_unstable();
        all
    }

    /// Shown objects of the game file that are drawn once.
    pub fn objects(&self) -> Vec<usize> {
        let shown = self.shown();
        let index = |node: usize| self.nodes()[node]["extras"]["zipper"]["index"].as_u64();
        let is_object = |&node: &usize| {
            let facts = &self.nodes()[node]["extras"]["zipper"];
            let once = shown
                .iter()
                .filter(|&&other| index(other) == index(node))
                .count()
                == 1;
            facts["class"] == "object3d" && facts["hidden"].is_null() && once
        };
        shown.iter().copied().filter(is_object).collect()
    }

    pub fn vector<const N: usize>(&self, node: usize, key: &str, default: [f32; N]) -> [f32; N] {
        let stored = self.nodes()[node][key].as_array();
        match stored {
            Some(list) => std::array::from_fn(|at| list[at].as_f64().unwrap() as f32),
            None => default,
        }
    }

    pub fn set<const N: usize>(&mut self, node: usize, key: &str, value: [f32; N]) {
        self.json["nodes"][node][key] = value.to_vec().into();
    }

    /// The accessor of an attribute of a primitive.
    pub fn attribute(&self, mesh: usize, primitive: usize, name: &str) -> Option<usize> {
        let primitive = &self.json["meshes"][mesh]["primitives"][primitive];
        let found = match name {
            "indices" => &primitive["indices"],
            name => &primitive["attributes"][name],
        };
        found.as_u64().map(|accessor| accessor as usize)
    }

    /// Stores all elements of an accessor with three floats as exceptions from zeros, unless that is done.
    pub fn make_sparse(&mut self, accessor: usize) {
        if !self.json["accessors"][accessor]["sparse"].is_null() {
            return;
        }
        let rows = self.floats::<3>(accessor);
        let numbers: Vec<u32> = (0..u32::try_from(rows.len()).unwrap()).collect();
        let [values, indices] = [self.add_floats(&rows), self.add_indices(&numbers)]
            .map(|added| self.json["accessors"][added]["bufferView"].clone());
        let sparse = json!({
            "count": rows.len(),
            "indices": {"bufferView": indices, "componentType": 5125},
            "values": {"bufferView": values},
        });
        let accessor = self.json["accessors"][accessor].as_object_mut().unwrap();
        accessor.remove("bufferView");
        accessor.remove("byteOffset");
        accessor.insert("sparse".to_owned(), sparse);
    }

    fn place(&self, accessor: usize) -> (usize, usize, usize) {
        let accessor = &self.json["accessors"][accessor];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        (
            number(&view["byteOffset"]) + number(&accessor["byteOffset"]),
            number(&view["byteStride"]),
            number(&accessor["count"]),
        )
    }

    pub fn floats<const N: usize>(&self, accessor: usize) -> Vec<[f32; N]> {
        let (start, stride, count) = self.place(accessor);
        let stride = stride.max(N * 4);
        let float = |at: usize| f32::from_le_bytes(self.bin[at..at + 4].try_into().unwrap());
        (0..count)
            .map(|row| std::array::from_fn(|part| float(start + row * stride + part * 4)))
            .collect()
    }

    pub fn put_floats<const N: usize>(&mut self, accessor: usize, rows: &[[f32; N]]) {
        let (start, stride, count) = self.place(accessor);
        assert_eq!(count, rows.len());
        for (row, values) in rows.iter().enumerate() {
            for (part, value) in values.iter().enumerate() {
                let at = start + row * stride.max(N * 4) + part * 4;
                self.bin[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
    }

    pub fn shorts(&self, accessor: usize) -> Vec<[u16; 4]> {
        let (start, stride, count) = self.place(accessor);
        let short = |at: usize| u16::from_le_bytes(self.bin[at..at + 2].try_into().unwrap());
        (0..count)
            .map(|row| std::array::from_fn(|part| short(start + row * stride.max(8) + part * 2)))
            .collect()
    }

    pub fn put_shorts(&mut self, accessor: usize, rows: &[[u16; 4]]) {
        let (start, stride, _) = self.place(accessor);
        for (row, values) in rows.iter().enumerate() {
            for (part, value) in values.iter().enumerate() {
                let at = start + row * stride.max(8) + part * 2;
                self.bin[at..at + 2].copy_from_slice(&value.to_le_bytes());
            }
        }
    }

    pub fn indices(&self, accessor: usize) -> Vec<u32> {
        let (start, _, count) = self.place(accessor);
        let is_wide = self.json["accessors"][accessor]["componentType"] == 5125;
        let read = |row: usize| match is_wide {
            true => u32::from_le_bytes(
                self.bin[start + row * 4..start + row * 4 + 4]
                    .try_into()
                    .unwrap(),
            ),
            false => u32::from(u16::from_le_bytes(
                self.bin[start + row * 2..start + row * 2 + 2]
                    .try_into()
                    .unwrap(),
            )),
        };
        (0..count).map(read).collect()
    }

    /// Adds an accessor of floats with a view of its own.
    pub fn add_floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = rows
            .iter()
            .flatten()
            .flat_map(|part| part.to_le_bytes())
            .collect();
        let kind = match N {
            16 => "MAT4",
            _ => ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1],
        };
        self.add(&bytes, 5126, rows.len(), kind)
    }

    /// Adds an accessor of colors with a view of its own.
    pub fn add_shorts(&mut self, rows: &[[u16; 4]]) -> usize {
        let parts = rows.iter().flatten();
        let bytes: Vec<u8> = parts.flat_map(|part| part.to_le_bytes()).collect();
        let accessor = self.add(&bytes, 5123, rows.len(), "VEC4");
        self.json["accessors"][accessor]["normalized"] = true.into();
        accessor
    }

    /// Adds an accessor of wide indices.
    pub fn add_indices(&mut self, indices: &[u32]) -> usize {
        let bytes: Vec<u8> = indices
            .iter()
            .flat_map(|index| index.to_le_bytes())
            .collect();
        self.add(&bytes, 5125, indices.len(), "SCALAR")
    }

    fn add(&mut self, bytes: &[u8], component: u32, count: usize, kind: &str) -> usize {
        let offset = self.bin.len().next_multiple_of(4);
        self.bin.resize(offset, 0);
        self.bin.extend_from_slice(bytes);
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(
            serde_json::json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}),
        );
        let view = views.len() - 1;
        let accessors = self.json["accessors"].as_array_mut().unwrap();
        accessors.push(serde_json::json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind
        }));
        let number = accessors.len() - 1;
        self.json["buffers"][0]["byteLength"] = self.bin.len().into();
        number
    }
}

/// Numbers that are the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }

    /// Between -1 and 1.
    pub fn part(&mut self) -> f32 {
        self.roll(20_001) as f32 / 10_000.0 - 1.0
    }
}
