using UnityEditor;
using UnityEngine;

namespace Relicast.Editor
{
    /// <summary>
    /// How the editor imports our pictures: glTFast takes them from the project's own assets, so that repeat, filter and
    /// mipmaps must be set here.
    /// </summary>
    public sealed class ImportSettings : AssetPostprocessor
    {
        void OnPreprocessTexture()
        {
            if (!assetPath.StartsWith(Package.Root + "/textures/"))
            {
                return;
            }
            TextureImporter importer = (TextureImporter)assetImporter;
            if (!importer.importSettingsMissing)
            {
                return;
            }
            importer.wrapMode = TextureWrapMode.Repeat;
            importer.filterMode = FilterMode.Trilinear;
            importer.mipmapEnabled = true;
            importer.npotScale = TextureImporterNPOTScale.None;
            importer.alphaIsTransparency = true;
            importer.textureCompression = TextureImporterCompression.Uncompressed;
        }
    }
}
